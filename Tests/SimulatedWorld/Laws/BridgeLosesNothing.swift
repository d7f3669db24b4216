import Positioning

/// Each entry and exit of a region reaches the MQTT broker, in order; at most it comes again.
struct BridgeLosesNothing: Law {
  static let promise = Promise(
    "docs/mqtt.md",
    "So none is lost when the network, the MQTT broker, the bridge or positiond is away, and none comes out of order.")

  private struct Transition: Hashable {
    let region: String
    let event: String
    let time: Double
  }

  private(set) var breaches: [Breach] = []
  private var seen: Set<Transition> = []
  /// The newest event of each region.
  private var newest: [String: Transition] = [:]

  mutating func observe(_ observation: Observation, in world: World) {
    if case .fault(let fault, _) = observation, fault.kind.isOfBridgesPermission { self.newest = [:] }
    guard case .published(let topic, let text, isKept: false) = observation, topic.hasSuffix("/event"),
      let message = JSON(text), let region = message["desc"]?.string, let event = message["event"]?.string,
      let time = message["tst"]?.number
    else {
      return
    }
    let transition = Transition(region: region, event: event, time: time)
    guard self.seen.insert(transition).inserted else { return }
    if let last = self.newest[region] {
      if last.event == event, message["initial"] == nil {
        self.breaches.append(self.breach("\(region): \(event) at \(last.time) and again at \(time)", in: world))
      }
      if time < last.time, !world.script.hasOddTimes {
        self.breaches.append(
          self.breach("\(region): \(event) of \(time) after \(last.event) of \(last.time)", in: world))
      }
    }
    self.newest[region] = transition
  }
}

extension Fault.Kind {
  /// Whether the bridge may miss something meanwhile.
  fileprivate var isOfBridgesPermission: Bool {
    self == .reduced(uid: BridgePlan.uid) || self == .denied(uid: BridgePlan.uid) || self == .disabled
  }
}

extension Script {
  /// Whether the times of fixes may go back.
  var hasOddTimes: Bool {
    self.faults.contains { if case .clockStep = $0.kind { true } else { false } }
  }
}
