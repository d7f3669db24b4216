import Positioning

/// What is said of the receiver is what it does.
struct ReceiverIsAsReported: Law {
  static let promise = Promise("docs/power.md", "Nothing is reported as off that was not verified.")
  /// How long words and deeds may differ.
  private static let bound: Duration = .seconds(10)

  private(set) var breaches: [Breach] = []
  private var hardware = (isWatched: false, isOpen: false)
  /// Of a receiver that commands or units turn off: whether it works.
  private var isOn = true
  /// What each reader of the status was last said, and since when of the daemon's time that differs.
  private var said: [String: (state: String, rung: String)] = [:]
  private var differsSince: [String: Duration] = [:]
  private var reported: Set<String> = []

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .notified(let program, "status.update", let message):
      guard let power = message["params"]?["power"], let state = power["state"]?.string else { return }
      self.said[program.plan.name] = (state, power["rung"]?.string ?? "")
    case .disconnected(let program):
      self.said[program.plan.name] = nil
      self.differsSince[program.plan.name] = nil
    case .hardware(let isWatched, let isOpen): self.hardware = (isWatched, isOpen)
    case .radio(let isOn): self.isOn = isOn
    case .tick, .fault: break
    case _:
      return
    }
    self.compare(in: world)
  }

  private mutating func compare(in world: World) {
    for program in world.programs {
      let name = program.plan.name
      guard let (state, rung) = self.said[name], program.isReading else { continue }
      let differs =
        switch state {
        case "on": !self.hardware.isWatched || !self.isOn
        case "released": self.hardware.isWatched
        case "off" where rung != "watch": self.isOn
        case "off": self.hardware.isWatched || self.hardware.isOpen
        case _: false
        }
      guard differs else {
        self.differsSince[name] = nil
        continue
      }
      let since = self.differsSince[name] ?? world.awake
      self.differsSince[name] = since
      guard world.awake - since > Self.bound, self.isCalm(in: world), self.reported.insert("\(name) \(since)").inserted
      else {
        continue
      }
      self.breaches.append(
        self.breach(
          "\(name) is said that the receiver is \(state), and it is \(self.hardware.isWatched ? "" : "not ")watched and \(self.isOn ? "on" : "off")",
          in: world)
      )
    }
  }

  /// Whether nothing is wrong with gpsd and the receiver.
  private func isCalm(in world: World) -> Bool {
    !world.script.isDisturbed(from: world.elapsed - Self.bound * 3, to: world.elapsed, margin: .seconds(60)) {
      switch $0 {
      case .gpsdDown, .gpsdHangs, .unplugged, .powerCut, .receiver, .unread: true
      case _:
        false
      }
    }
  }
}
