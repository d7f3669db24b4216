import Positioning

/// After an outage of the MQTT broker the bridge is there again.
struct BridgeConnectsAgain: Law {
  static let promise = Promise("docs/mqtt.md", "Attempts to connect become rarer, up to one a minute.")
  /// A minute, a connection that takes its time, and messages that do.
  private static let bound: Duration = .seconds(240)

  private(set) var breaches: [Breach] = []
  private var isOnline = false
  private var isReported = false

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .published(let topic, let text, isKept: true) where topic.hasSuffix("/connection"):
      self.isOnline = text == "online"
      if self.isOnline { self.isReported = false }
    case .fault(let fault, begins: true) where fault.kind == .mqttDown: self.isOnline = false
    case .tick: self.check(in: world)
    case _: break
    }
  }

  private mutating func check(in world: World) {
    guard world.isBridgeRunning, !self.isOnline, !self.isReported, world.elapsed > Self.bound,
      !world.script.isDisturbed(
        from: world.elapsed - Self.bound, to: world.elapsed, by: { $0 == .mqttDown || $0.isStandstill })
    else {
      return
    }
    self.isReported = true
    self.breaches.append(self.breach("the bridge is not connected \(Self.bound) after an outage", in: world))
  }
}
