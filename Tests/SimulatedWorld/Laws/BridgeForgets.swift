import Positioning

/// What the MQTT broker keeps of the position is removed when the bridge may not know it any more.
struct BridgeForgets: Law {
  static let promise = Promise(
    "docs/mqtt.md",
    "When its permission is reduced or taken away, what it had not published yet is dropped, and what the MQTT broker keeps is removed"
  )
  /// For an MQTT broker that is slow: each message may take 40 s, and 20 are on their way.
  private static let bound: Duration = .seconds(15 * 60)

  private(set) var breaches: [Breach] = []
  /// What is kept, by topic, if it names a place.
  private var kept: [String: String] = [:]
  private var reducedSince: Duration?

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .published(let topic, let text, isKept: true):
      let isPlace = JSON(text).map { $0["lat"] != nil || $0["latitude"] != nil } ?? false
      self.kept[topic] = isPlace ? text : nil
    case .fault(let fault, let begins):
      guard fault.kind == .reduced(uid: BridgePlan.uid) else { return }
      if begins { self.kept.keys.forEach { self.old.insert($0) } }
      self.reducedSince = begins ? world.elapsed : nil
      if !begins { self.old = [] }
    case .tick: self.check(in: world)
    case _: break
    }
  }

  /// The topics that kept a precise place when it was reduced.
  private var old: Set<String> = []

  private mutating func check(in world: World) {
    guard let since = self.reducedSince, world.elapsed - since > Self.bound,
      !world.script.isDisturbed(
        from: since, to: world.elapsed, margin: .seconds(60), by: { $0 != .reduced(uid: BridgePlan.uid) })
    else {
      return
    }
    for topic in self.old.sorted() {
      guard let text = self.kept[topic],
        JSON(text).map({ ($0["acc"] ?? $0["gps_accuracy"])?.number ?? 0 < 1000 }) ?? false
      else { continue }
      self.breaches.append(
        self.breach("\(topic) is kept \(world.elapsed - since) after the reduction: \(text)", in: world))
    }
    self.old = []
  }
}
