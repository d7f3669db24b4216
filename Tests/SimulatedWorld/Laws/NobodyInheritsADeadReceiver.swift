import Positioning

/// Once the daemon has ended, the receiver works, whoever turned it off.
struct NobodyInheritsADeadReceiver: Law {
  static let promise = Promise(
    "docs/power.md", "when the service ends (`systemctl stop positiond` takes up to 20 s then)")
  /// How long an end may take.
  static let bound: Duration = .seconds(28)

  private(set) var breaches: [Breach] = []
  private var isOn = true

  mutating func observe(_ observation: Observation, in world: World) {
    if case .radio(let isOn) = observation { self.isOn = isOn }
  }

  mutating func end(in world: World) {
    if !self.isOn { self.breaches.append(self.breach("the daemon has ended, and the receiver is off", in: world)) }
  }
}
