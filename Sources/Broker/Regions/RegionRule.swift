/// The rule by which a fix shows that the device is inside a region, outside, or neither.
///
/// A fix is a round distribution of places, sigma wide. Requiring 85 % of it inside to enter, and 15 % to leave, is not
/// enough: of a fix with an error of 600 m, hardly anything is within a region of 50 m even if the device stands at its
/// centre, and it would leave. So a fix that is too inaccurate to show "inside" must be clear of the region by more
/// than its 99 % radius to show "outside"; a good one by its 95 % radius; and both by an additional margin. The margin
/// is for receivers with estimates that are too good. It is the 95 % radius once more, but at least 10 m and at most 50
/// m, however large the region is.
enum RegionRule {
  /// The share of a fix's distribution that must be inside.
  static let enterProbability = 0.85
  /// Depth in sigmas below which a straight border leaves less than that inside, and any convex border even less.
  private static let straightDepth = 1.0364333894937896
  /// Depth in sigmas from which a circle around the fix alone contains that much: the square root of -2 ln 0.15.
  static let certainDepth = 1.9478801788170654
  /// The 95 % and the 99 % radius of a fix, in sigmas.
  static let exitFactor = 2.448
  static let vagueExitFactor = 3.03
  /// The additional margin to leave, at least and at most; metres.
  static let leastMargin = 10.0
  static let largestMargin = 50.0
  /// A vote without a second one ends after so long, once a fix could have confirmed it; and for so long the receiver
  /// stays on to get one.
  static let memory: Duration = .seconds(60)
  /// How long a vote must be pending, at most; seconds.
  private static let longestHold = 10.0
  /// The share of its reach that a device may cover while a vote is pending.
  private static let holdShare = 0.5

  enum Vote: Hashable, Sendable {
    case inside, outside
  }

  /// Whether a fix with this error could show "inside" in the region's middle.
  static func isDecisive(sigma: Double, reach: Double) -> Bool {
    sigma * self.certainDepth <= reach
  }

  /// How far outside a fix must be to show it, in metres.
  static func exitDistance(sigma: Double, reach: Double) -> Double {
    let factor = self.isDecisive(sigma: sigma, reach: reach) ? self.exitFactor : self.vagueExitFactor
    return factor * sigma + self.margin(sigma: sigma)
  }

  /// At least `exitDistance` of any region.
  static func exitDistanceBound(sigma: Double) -> Double {
    self.vagueExitFactor * sigma + self.margin(sigma: sigma)
  }

  private static func margin(sigma: Double) -> Double {
    min(max(self.exitFactor * sigma, self.leastMargin), self.largestMargin)
  }

  /// What a fix at that depth shows; `nil`: nothing.
  static func vote(depth: Double, sigma: Double, geometry: RegionGeometry) -> Vote? {
    if depth <= 0 {
      return -depth >= self.exitDistance(sigma: sigma, reach: geometry.reach) ? .outside : nil
    }
    guard self.isDecisive(sigma: sigma, reach: geometry.reach), depth >= self.straightDepth * sigma else { return nil }
    if depth >= self.certainDepth * sigma { return .inside }
    return geometry.probability(depth: depth, sigma: sigma) >= self.enterProbability ? .inside : nil
  }

  /// How long a vote must be pending before it counts: short enough for a device that drives through.
  static func hold(reach: Double, speed: Double) -> Duration {
    guard speed * self.longestHold > self.holdShare * reach else { return .seconds(self.longestHold) }
    return .seconds(self.holdShare * reach / speed)
  }
}
