import Positioning

/// A batch is delivered when its time is over.
struct BatchesCome: Law {
  static let promise = Promise(
    "docs/protocol.md", "or `deferredTimeout` after its first fix; one of the two is required.")
  private static let slack = 3.0

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .notified(let program, "position.update", let message) = observation,
      case .collects(_, let timeout) = program.plan.kind, let update = message["params"],
      case let fixes = update["fixes"]?.elements ?? [], let first = fixes.first?["age"]?.number
    else {
      return
    }
    let isDisturbed = world.script.isDisturbed(
      from: world.elapsed - .seconds(timeout), to: world.elapsed, margin: .seconds(60))
    guard first > Double(timeout) + Self.slack, !isDisturbed else { return }
    self.breaches.append(
      self.breach(
        "\(program.plan.name): a batch whose first fix is \(first) s old, after a timeout of \(timeout) s", in: world))
  }
}
