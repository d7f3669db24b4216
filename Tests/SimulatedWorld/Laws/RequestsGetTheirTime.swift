import Positioning

/// No request is given up before its timeout, however long the daemon did not run.
struct RequestsGetTheirTime: Law {
  static let promise = Promise(
    "docs/protocol.md", "Time in which the daemon did not run, because the machine slept, does not count.")
  /// Clocks of the world, of the daemon, and the way of the request.
  private static let tolerance: Duration = .seconds(1)
  /// A gap of less is none.
  private static let gap: Duration = .seconds(10)

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .answered(let program, let request, let message) = observation, request.method == "position.get",
      let timeout = request.timeout, message["result"]?["status"]?.string == "timedOut", timeout > 0,
      // The timeout runs while a person is asked.
      !world.script.asks(program.plan)
    else {
      return
    }
    let waited = world.awake - request.sentAwake
    // Short stops look like a slow machine, and count.
    let stops = world.script.faults.reduce(Duration.zero) {
      $1.kind.isAbsence && $1.lasts < Self.gap && $1.at < world.elapsed && $1.at + $1.lasts > request.sentAt
        ? $0 + $1.lasts : $0
    }
    guard waited + stops + Self.tolerance < .seconds(timeout) else { return }
    self.breaches.append(
      self.breach("\(program.plan.name) asked for \(timeout) s, and is given up after \(waited)", in: world))
  }
}
