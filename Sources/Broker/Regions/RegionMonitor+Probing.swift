import Geodesy
package import Positioning

extension RegionMonitor {
  /// The longest time between probes if no region demands less.
  package static var longestSleep: Duration { .seconds(900) }
  /// The effort for computing depths in one search.
  private static var exactDistances: Int { 2000 }

  /// How long the receiver may sleep from now on; `nil` if there are no regions.
  ///
  /// A region with a latency is probed at this interval, near or far. Another region is probed as soon as the device
  /// can have moved from the fix to where its state might change, at the latest after `longestSleep`; and at once if
  /// the fix's accuracy is unknown.
  ///
  /// Only a limited number is computed exactly. For others the enclosing ball is used, which is never too late.
  ///
  /// - Parameter speedBound: How fast the device can move, metres per second; greater than 0.
  package mutating func nextProbe(after fix: Fix, speedBound: Double, now: Instant) -> Duration? {
    self.candidatesProbed = 0
    guard self.count > 0 else { return nil }
    if self.isPending { return .zero }
    var sleep = self.latencies.next?.sinceBoot
    if self.index.promptCount > 0 {
      let longest = min(sleep ?? Self.longestSleep, Self.longestSleep)
      sleep = min(longest, self.promptProbe(after: fix, speedBound: speedBound, longest: longest, now: now))
    }
    return sleep
  }

  private mutating func promptProbe(
    after fix: Fix, speedBound: Double, longest: Duration, now: Instant
  ) -> Duration {
    precondition(speedBound > 0, "a device that cannot move")
    guard let accuracy = fix.horizontalAccuracy95 else { return .zero }
    let place = Place(fix.coordinate)
    let sigma = accuracy / CircularError.radius95
    var effort = Self.exactDistances
    // Less what the device may have moved since the fix.
    let gone = speedBound * max(fix.age(at: now).seconds, 0)
    let found = self.index.least(
      from: place.cartesian, sigma: sigma, below: gone + speedBound * longest.seconds
    ) { slot in
      guard let geometry = self.entries[slot]?.tracker.geometry else { return .infinity }
      effort -= geometry.effort
      guard effort > 0 else {
        return geometry.leastDistance(to: place) - RegionRule.exitDistance(sigma: sigma, reach: geometry.reach)
      }
      return abs(geometry.depth(of: place)) - RegionRule.exitDistance(sigma: sigma, reach: geometry.reach)
    }
    self.candidatesProbed = found.examined
    return .seconds(max(found.margin - gone, 0) / speedBound)
  }
}
