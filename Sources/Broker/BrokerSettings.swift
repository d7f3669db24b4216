import Positioning

/// What the administrator may set of the broker's behaviour; the defaults are the documented ones.
package struct BrokerSettings: Hashable, Sendable {
  package var fixes = FixSettings()
  package var headings = HeadingSettings()
  /// How long the receiver stays on after the last need.
  package var linger: Duration = .seconds(60)
  /// How long the receiver must be able to sleep to be released at all.
  package var minimumOff: Duration = .seconds(300)
  /// The longest that any request waits.
  package var maxRequestTime: Duration = .seconds(3600)
  package var maxRequestsPerClient = 256
  package var maxRequestsPerUser = 1024
  package var maxSubscriptionsPerClient = 256
  package var maxSubscriptionsPerUser = 1024
  /// Subscriptions to the status, which needs no permission.
  package var maxStatusPerUser = 64
  /// Subscriptions that collect: each may hold hundreds of fixes.
  package var maxDeferredPerUser = 64
  package var maxRegionsPerUser = 10_000
  /// Of the polygons among them.
  package var maxCornersPerUser = 100_000
  package var maxNamesPerUser = 32
  // The same of all users together: what the daemon has memory for.
  package var maxRequests = 16_384
  package var maxSubscriptions = 16_384
  package var maxDeferred = 256
  package var maxRegions = 50_000
  package var maxCorners = 2_000_000
  package var maxNames = 128
  package var inbox = InboxLimits()
  /// How much may be on its way to the disk before no more is taken, in fixes and what weighs like one: some 20 MB.
  package var maxUnstored = 20_000
  /// How much of what is owed to the disk is written in one turn, in the same measure; one thing in any case.
  package var catchUpSlice = 1000
  /// Who may know the position.
  package var access = AccessPolicy()

  package init() {}
}

/// How reports become fixes.
package struct FixSettings: Hashable, Sendable {
  /// The receiver that wins, by its path as gpsd knows it; `nil`: the best.
  package var device: String?
  /// Metres (68 %), for receivers that give no estimate; `nil`: their accuracy is unknown.
  package var assumedAccuracy: Double?
  /// Metres (68 %) for each unit of HDOP, for receivers that tell nothing but their dilution of precision.
  package var errorPerDilution: Double = 5
  package var allowsSimulated = false
  /// Metres per second; a faster move must be confirmed.
  package var maxSpeed: Double = 500
  /// Without a usable report for so long (or three of the device's cycles) the fix is lost. gpsd says nothing to anybody
  /// for 6 s while it probes a receiver: that is no loss.
  package var lossAfter: Duration = .seconds(8)

  package init() {}
}

/// How fixes become headings where no sensor tells one.
package struct HeadingSettings: Hashable, Sendable {
  /// Metres per second; below it a course is noise.
  package var courseMinSpeed: Double = 1

  package init() {}
}
