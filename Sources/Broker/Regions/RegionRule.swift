/// When a fix says that the device is inside a region, when that it is outside, and when it says nothing.
///
/// A fix is a round cloud of places, sigma wide. Asking for 85 % of it inside in order to enter, and 15 % in order to
/// leave, is not enough: of a fix with an error of 600 m, hardly anything lies within a region of 50 m at whose centre
/// the device stands, and it would leave. So a fix that is too vague to be able to say "inside" must lie clear of the
/// region by more than its 99 % radius to say "outside"; a good one by its 95 % radius; and either by a margin on top.
/// The margin is for receivers that promise more than they keep, so it follows from what they promise: it is the 95 %
/// radius once more, but at least 10 m and at most 50 m, however large the region is.
enum RegionRule {
  /// What must be inside of a fix's cloud.
  static let enterProbability = 0.85
  /// Depth in sigmas below which a straight edge leaves less than that inside, and any convex edge even less.
  private static let straightDepth = 1.0364333894937896
  /// Depth in sigmas from which a circle around the fix alone has that much: the square root of -2 ln 0.15.
  static let certainDepth = 1.9478801788170654
  /// The 95 % and the 99 % radius of a fix, in sigmas.
  static let exitFactor = 2.448
  static let vagueExitFactor = 3.03
  /// What is asked beyond a fix's error to leave, at least and at most; metres.
  static let leastMargin = 10.0
  static let largestMargin = 50.0
  /// After so long without a second, a vote stands no more once a fix could have seconded it; and so long the receiver
  /// stays on to look for one.
  static let memory: Duration = .seconds(60)
  /// How long a vote must stand, at most; seconds.
  private static let longestHold = 10.0
  /// The share of its reach that a device may cover while a vote stands.
  private static let holdShare = 0.5

  enum Vote: Hashable, Sendable {
    case inside, outside
  }

  /// Whether a fix so wide could say "inside" if it lay in the region's middle.
  static func isDecisive(sigma: Double, reach: Double) -> Bool {
    sigma * self.certainDepth <= reach
  }

  /// How far outside a fix must lie to say so, in metres.
  static func exitDistance(sigma: Double, reach: Double) -> Double {
    let factor = self.isDecisive(sigma: sigma, reach: reach) ? self.exitFactor : self.vagueExitFactor
    return factor * sigma + self.margin(sigma: sigma)
  }

  /// No less than `exitDistance` of any region.
  static func exitDistanceBound(sigma: Double) -> Double {
    self.vagueExitFactor * sigma + self.margin(sigma: sigma)
  }

  private static func margin(sigma: Double) -> Double {
    min(max(self.exitFactor * sigma, self.leastMargin), self.largestMargin)
  }

  /// What a fix at that depth says; `nil`: nothing.
  static func vote(depth: Double, sigma: Double, geometry: RegionGeometry) -> Vote? {
    if depth <= 0 {
      return -depth >= self.exitDistance(sigma: sigma, reach: geometry.reach) ? .outside : nil
    }
    guard self.isDecisive(sigma: sigma, reach: geometry.reach), depth >= self.straightDepth * sigma else { return nil }
    if depth >= self.certainDepth * sigma { return .inside }
    return geometry.probability(depth: depth, sigma: sigma) >= self.enterProbability ? .inside : nil
  }

  /// How long a vote must stand before it counts: short enough for a device that only drives through.
  static func hold(reach: Double, speed: Double) -> Duration {
    guard speed * self.longestHold > self.holdShare * reach else { return .seconds(self.longestHold) }
    return .seconds(self.holdShare * reach / speed)
  }
}
