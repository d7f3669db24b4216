import Positioning

/// Once nothing is wrong any more, everything works again by itself.
struct EverythingRecovers: Law {
  static let promise = Promise(
    "docs/operations.md",
    "everything works again by itself at most ten minutes after it is there again; nothing needs a restart.")
  /// After the last fault.
  static let bound: Duration = .seconds(10 * 60)

  private(set) var breaches: [Breach] = []

  mutating func observe(_ observation: Observation, in world: World) {
    guard case .answered(let program, let request, let message) = observation,
      request.sentAt > world.script.length + Self.bound,
      // A person may have said no.
      !world.script.asks(program.plan)
    else {
      return
    }
    if let error = message["error"] {
      // An event that was acknowledged with a name that is gone.
      guard !(request.method.hasPrefix("durable.") && error["code"]?.number == -32008) else { return }
      // What is on its way to the store may have a low limit.
      guard error["code"]?.number != -32603 || world.script.limits.unstored == nil else { return }
      self.breaches.append(self.breach("\(program.plan.name): \(request.method) is refused: \(error.text)", in: world))
    }
    if request.method == "position.get", let timeout = request.timeout, timeout >= 60,
      message["result"]?["status"]?.string != "success"
    {
      self.breaches.append(
        self.breach(
          "\(program.plan.name) gets no position: \(message["result"]?["diagnostics"]?.text ?? "")", in: world))
    }
  }

  mutating func end(in world: World) {
    if !world.isDaemonAwake { self.breaches.append(self.breach("no daemon runs", in: world)) }
  }
}
