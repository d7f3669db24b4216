import Positioning

/// Whatever a program says, it gets the error that the protocol names for it, and one answer for each.
struct MistakesAreNamed: Law {
  static let promise = Promise("docs/protocol.md", "An error without a readable request has the id `null`.")

  private static let internalError = -32603.0

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .mistaken(let liar, let mistake, let id, let answer) = observation else { return }
    guard let mistake else {
      return self.breaches.append(
        self.breach("\(liar.plan.name) got what it did not ask for: \(answer.text)", in: world))
    }
    let isFitting =
      mistake.code == answer["error"]?["code"]?.number
      && answer["id"] == (mistake.hasID ? .number(Double(id)) : .null)
      && (mistake.code == nil) == (answer["result"] != nil)
    // What nobody can read now, is not known to be missing.
    let isUnreadable =
      mistake == .foreignName && answer["error"]?["code"]?.number == Self.internalError
      && world.script.faults.contains {
        switch $0.kind {
        case .diskFull, .diskBroken, .locked: $0.at < world.elapsed
        case _: false
        }
      }
    guard !isFitting, !isUnreadable else { return }
    self.breaches.append(
      self.breach("\(liar.plan.name): \(mistake) of \(id) was answered with \(answer.text)", in: world))
  }
}
