import Positioning

/// Whoever floods the daemon with requests, right or wrong, makes nobody else wait.
struct OnlyTheClientNotices: Law {
  static let promise = Promise("docs/limits.md", "Only the client itself notices")
  /// What needs neither a fix nor the disk is answered so soon.
  private static let bound: Duration = .milliseconds(500)

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .answered(let program, let request, _) = observation, !world.liars.isEmpty,
      request.method == "position.subscribe" || request.method == "status.subscribe"
        || request.method == "authorization.get",
      !request.parameters.contains("durable"), !world.script.asks(program.plan),
      world.elapsed - request.sentAt > Self.bound,
      !world.script.isDisturbed(
        from: request.sentAt, to: world.elapsed, margin: .seconds(5),
        by: { $0.isAbsence || $0 == .busy || $0 == .unread(program: program.plan.name) })
    else {
      return
    }
    self.breaches.append(
      self.breach(
        "\(program.plan.name): \(request.method) was answered after \(world.elapsed - request.sentAt)", in: world))
  }
}
