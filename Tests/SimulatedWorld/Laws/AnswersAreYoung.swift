import Positioning
import WorldSupport

/// A fix from before a request is no older than the request allows.
struct AnswersAreYoung: Law {
  static let promise = Promise("docs/protocol.md", "`maxAge` is about fixes from before the request")
  /// Seconds.
  private static let tolerance = 0.1

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .answered(let program, let request, let message) = observation, request.method == "position.get",
      let maxAge = JSON(request.parameters)?["maxAge"]?.number,
      let arrival = message["result"]?["fix"]?["arrival"]?.number
    else {
      return
    }
    let sentAt = (world.machine.sinceBoot - (world.elapsed - request.sentAt)).seconds
    // Such a fix is no older when it is given either.
    let age = max(sentAt - arrival, message["result"]?["fix"]?["age"]?.number ?? 0)
    guard sentAt - arrival > Self.tolerance, age > maxAge + Self.tolerance else { return }
    self.breaches.append(
      self.breach("\(program.plan.name) asked for a fix of at most \(maxAge) s, and gets one of \(age) s", in: world))
  }
}
