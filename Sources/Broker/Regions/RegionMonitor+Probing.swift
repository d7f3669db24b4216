import Geodesy
package import Positioning

extension RegionMonitor {
  /// The longest time after a fix for which its place counts: the device may be faster than the greatest speed.
  package static var longestSleep: Duration { .seconds(900) }
  /// The effort for computing depths in one search.
  private static var exactDistances: Int { 2000 }

  /// How long the receiver may sleep from now on; `nil` if there are no regions.
  ///
  /// A region is probed as soon as the device can have moved from the fix to where the region's state might change, at
  /// the latest after `longestSleep`, and at once if the fix's accuracy is unknown; with a latency, so much later.
  ///
  /// Only a limited number is computed exactly. For others the enclosing ball is used, which is never too late.
  ///
  /// - Parameter speedBound: How fast the device can move unless the fix shows that it is faster, metres per second;
  ///   greater than 0.
  package mutating func nextProbe(after fix: Fix, speedBound: Double, now: Instant) -> Duration? {
    precondition(speedBound > 0, "a device that cannot move")
    self.candidatesProbed = 0
    guard self.count > 0 else { return nil }
    if self.isPending { return .zero }
    let latency = self.latencies.next?.sinceBoot ?? .zero
    let shortest = self.index.promptCount > 0 ? .zero : latency
    guard let accuracy = fix.horizontalAccuracy95 else { return shortest }
    let place = Place(fix.coordinate)
    let sigma = accuracy / CircularError.radius95
    let speedBound = max(speedBound, self.trail.observation(of: fix)?.speed ?? 0)
    let reach = RegionIndex.Reach(
      place: place.cartesian, sigma: sigma, gone: speedBound * max(fix.age(at: now).seconds, 0), speed: speedBound)
    var effort = Self.exactDistances
    let found = self.index.leastSleep(
      reach, below: (Self.longestSleep + shortest).seconds, latency: latency.seconds
    ) { slot in
      guard let geometry = self.entries[slot]?.tracker.geometry else { return .infinity }
      effort -= geometry.effort
      guard effort > 0 else {
        return geometry.leastDistance(to: place) - RegionRule.exitDistance(sigma: sigma, reach: geometry.reach)
      }
      return abs(geometry.depth(of: place)) - RegionRule.exitDistance(sigma: sigma, reach: geometry.reach)
    }
    self.candidatesProbed = found.examined
    return .seconds(found.sleep)
  }
}
