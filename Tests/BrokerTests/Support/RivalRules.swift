import Geodesy
import Positioning

@testable import Broker

/// The input of a rule: one fix at a circle.
struct RivalFix {
  var seconds: Double
  /// Metres from the middle.
  var distance: Double
  /// What the receiver reports, 95 %.
  var accuracy95: Double
  /// Metres per second.
  var speed: Double
}

/// A rule that decides whether the device is in a circle of 50 m: those of other services, to compare with ours.
protocol RivalRule {
  /// The fix's vote; `nil`: none.
  func vote(_ fix: RivalFix) -> Bool?
  /// How many seconds a vote must stand.
  func hold(_ fix: RivalFix) -> Double
}

/// The radius of the circle for all rules.
let rivalRadius = 50.0

/// Android's own GeofenceManager: inside within the radius or the accuracy (68 %), whichever is larger.
struct AndroidRule: RivalRule {
  func vote(_ fix: RivalFix) -> Bool? { fix.distance <= max(rivalRadius, fix.accuracy95 * Fix.ratio68To95) }
  func hold(_ fix: RivalFix) -> Double { 0 }
}

/// OwnTracks: inside within the radius and the accuracy (68 %).
struct OwnTracksRule: RivalRule {
  func vote(_ fix: RivalFix) -> Bool? { fix.distance <= rivalRadius + fix.accuracy95 * Fix.ratio68To95 }
  func hold(_ fix: RivalFix) -> Double { 0 }
}

/// Traccar: the fix itself, with any accuracy.
struct TraccarRule: RivalRule {
  func vote(_ fix: RivalFix) -> Bool? { fix.distance <= rivalRadius }
  func hold(_ fix: RivalFix) -> Double { 0 }
}

/// As documented for Google Play services: inside if 85 % of the fix's distribution are inside, outside if 15 % are.
struct OverlapRule: RivalRule {
  let seconds: Double
  /// The distance at which 85 % or 15 % are inside, by the accuracy, so that the distribution is not integrated for
  /// every fix.
  private let bounds: [Double: (inner: Double, outer: Double)]

  init(hold seconds: Double) {
    self.seconds = seconds
    var bounds: [Double: (inner: Double, outer: Double)] = [:]
    for (accuracy95, _) in SimulatedError.mix {
      bounds[accuracy95] = (Self.distance(0.85, accuracy95), Self.distance(0.15, accuracy95))
    }
    self.bounds = bounds
  }

  func vote(_ fix: RivalFix) -> Bool? {
    guard let (inner, outer) = self.bounds[fix.accuracy95] else { return nil }
    return fix.distance <= inner ? true : fix.distance >= outer ? false : nil
  }

  func hold(_ fix: RivalFix) -> Double { self.seconds }

  /// Less than 0 if even the middle has less.
  private static func distance(_ share: Double, _ accuracy95: Double) -> Double {
    let error = CircularError(sigma: accuracy95 / CircularError.radius95)
    if error.probability(withinRadius: rivalRadius, of: 0) < share { return -1 }
    var (near, far) = (0.0, 2000.0)
    for _ in 0..<50 {
      let middle = (near + far) / 2
      if error.probability(withinRadius: rivalRadius, of: middle) >= share { near = middle } else { far = middle }
    }
    return near
  }
}

/// Our votes with a hold that does not depend on the speed.
struct FixedHoldRule: RivalRule {
  let seconds: Double
  private let geometry = RegionGeometry(circle(radius: rivalRadius).shape)

  init(hold seconds: Double) { self.seconds = seconds }

  func vote(_ fix: RivalFix) -> Bool? {
    let sigma = fix.accuracy95 / CircularError.radius95
    return RegionRule.vote(depth: rivalRadius - fix.distance, sigma: sigma, geometry: self.geometry).map {
      $0 == .inside
    }
  }

  func hold(_ fix: RivalFix) -> Double { self.seconds }
}

/// Runs a rule: a vote that stands long enough is an event; a contrary one ends it, none leaves it standing.
struct RivalRun<Rule: RivalRule> {
  let rule: Rule
  private(set) var isInside: Bool
  private(set) var events: [(seconds: Double, isEnter: Bool)] = []
  private var since: Double?

  /// - Parameter isInside: The state at the start.
  init(_ rule: Rule, isInside: Bool) {
    self.rule = rule
    self.isInside = isInside
  }

  mutating func see(_ fix: RivalFix) {
    guard let vote = self.rule.vote(fix) else { return }
    guard vote != self.isInside else {
      self.since = nil
      return
    }
    let since = self.since ?? fix.seconds
    self.since = since
    guard fix.seconds - since >= self.rule.hold(fix) else { return }
    self.isInside = vote
    self.since = nil
    self.events.append((fix.seconds, vote))
  }
}
