import Positioning

/// The settings of the broker. The defaults are the documented ones.
package struct BrokerSettings: Hashable, Sendable {
  package var fixes = FixSettings()
  package var headings = HeadingSettings()
  package var power = PowerPolicy()
  package var clock = ClockSettings()
  /// The longest time that a request waits.
  package var maxRequestTime: Duration = .seconds(3600)
  package var maxRequestsPerClient = 256
  package var maxRequestsPerUser = 1024
  package var maxSubscriptionsPerClient = 256
  package var maxSubscriptionsPerUser = 1024
  /// Subscriptions to the status, which needs no permission.
  package var maxStatusPerUser = 64
  /// Subscriptions that collect batches, each of which may hold hundreds of fixes.
  package var maxDeferredPerUser = 64
  package var maxRegionsPerUser = 10_000
  /// The corners of all polygons.
  package var maxCornersPerUser = 100_000
  package var maxNamesPerUser = 32
  // The limits for all users together, for the memory of the daemon.
  package var maxRequests = 16_384
  package var maxSubscriptions = 16_384
  package var maxDeferred = 256
  package var maxRegions = 50_000
  package var maxCorners = 2_000_000
  package var maxNames = 128
  package var inbox = InboxLimits()
  /// How much may be on its way to the store, in fixes and their equivalents: some 20 MB. Beyond that changes wait.
  package var maxUnstored = 20_000
  /// How much of the waiting changes is stored in one turn, in the same unit; at least one change.
  package var catchUpSlice = 1000
  /// Where gpsd is expected, for the status.
  package var gpsdAddress: String?
  /// Who may know the position.
  package var access = AccessPolicy()
  /// After how long the daemon ends if nothing needs it; `nil`: never.
  package var exitWhenIdle: Duration?

  package init() {}
}

/// How reports become fixes.
package struct FixSettings: Hashable, Sendable {
  /// The path of the preferred receiver as gpsd knows it; `nil`: the best one.
  package var device: String?
  /// Metres (68 %), for receivers that report no estimate; `nil`: their accuracy is unknown.
  package var assumedAccuracy: Double?
  /// Metres (68 %) per unit of HDOP, for receivers that report only their dilution of precision.
  package var errorPerDilution: Double = 5
  package var allowsSimulated = false
  /// Metres per second; a faster move must be confirmed.
  package var maxSpeed: Double = 500
  /// The fix is lost after so long without a usable report, or after three of the device's cycles. While gpsd probes a
  /// receiver it sends nothing for 6 s, which is no loss.
  package var lossAfter: Duration = .seconds(8)

  package init() {}
}

/// When fixes become headings because no sensor reports one.
package struct HeadingSettings: Hashable, Sendable {
  /// Metres per second; below it the course is noise.
  package var courseMinSpeed: Double = 1

  package init() {}
}
