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
  package var maxSubscriptionsPerClient = 256
  /// Subscriptions that collect: each may hold hundreds of fixes.
  package var maxDeferredPerUser = 64
  package var maxRegionsPerUser = 10_000
  package var maxNamesPerUser = 32
  package var inbox = InboxLimits()
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
  package var allowsSimulated = false
  /// Metres per second; a faster move must be confirmed.
  package var maxSpeed: Double = 500
  /// Without a usable report for so long (or three of the device's cycles) the fix is lost.
  package var lossAfter: Duration = .seconds(3)

  package init() {}
}

/// How fixes become headings where no sensor tells one.
package struct HeadingSettings: Hashable, Sendable {
  /// Metres per second; below it a course is noise.
  package var courseMinSpeed: Double = 1

  package init() {}
}
