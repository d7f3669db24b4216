import Broker
import Configuration
import EventLoop
import Gpsd
import Positioning
import Server
import Systemd

/// What each part of the daemon takes of the configuration.
extension Settings {
  /// - Parameters:
  ///   - accounts: what the system said of those whom the rules name.
  ///   - warn: hears of each rule that names whom the system does not know.
  func broker(
    _ accounts: [AccountQuestion: AccountLookup<Account>], warn: (String) -> Void
  ) -> BrokerSettings {
    var settings = BrokerSettings()
    settings.linger = self.receiver.linger
    settings.minimumOff = self.receiver.minimumOff
    settings.maxRequestTime = self.limits.maximumRequestTime
    settings.maxRequestsPerUser = self.limits.maximumRequestsPerUser
    settings.maxSubscriptionsPerUser = self.limits.maximumSubscriptionsPerUser
    settings.maxStatusPerUser = self.limits.maximumStatusPerUser
    settings.maxCornersPerUser = self.limits.maximumCornersPerUser
    settings.maxDeferredPerUser = self.limits.maximumDeferredPerUser
    settings.maxRegionsPerUser = self.limits.maximumRegionsPerUser
    settings.maxNamesPerUser = self.limits.maximumNamesPerUser
    settings.maxRequests = self.limits.maximumRequests
    settings.maxSubscriptions = self.limits.maximumSubscriptions
    settings.maxDeferred = self.limits.maximumDeferred
    settings.maxRegions = self.limits.maximumRegions
    settings.maxCorners = self.limits.maximumCorners
    settings.maxNames = self.limits.maximumNames
    settings.inbox.events = self.limits.maximumInboxEvents
    settings.access = self.accessPolicy(accounts, warn: warn)
    settings.maxRequestsPerClient = self.limits.maximumRequestsPerClient
    settings.maxSubscriptionsPerClient = self.limits.maximumSubscriptionsPerClient
    settings.fixes.device = self.gpsd.device
    settings.fixes.assumedAccuracy = self.receiver.assumedAccuracy
    settings.fixes.errorPerDilution = self.receiver.errorPerDilution
    settings.fixes.allowsSimulated = self.receiver.allowsSimulated
    settings.fixes.maxSpeed = self.fix.maximumSpeed
    settings.fixes.lossAfter = self.fix.lossAfter
    settings.headings.courseMinSpeed = self.heading.courseMinimumSpeed
    return settings
  }

  var gpsdSession: GpsdSettings {
    GpsdSettings(host: self.gpsd.host, port: self.gpsd.port, device: self.gpsd.device, silence: self.fix.lossAfter)
  }

  func daemonFacts(began: Instant) -> DaemonFacts {
    var limits = ServerLimits()
    limits.maxClients = self.limits.maximumClients
    limits.maxClientsPerUser = self.limits.maximumClientsPerUser
    limits.maxFrame = self.limits.maximumFrameBytes
    limits.maxOutbound = self.limits.maximumOutboundBytes
    limits.maxOutboundPerUser = self.limits.maximumOutboundBytesPerUser
    var facts = DaemonFacts(
      version: Release.version, began: began, limits: limits,
      maxRequestsPerClient: self.limits.maximumRequestsPerClient,
      maxSubscriptionsPerClient: self.limits.maximumSubscriptionsPerClient,
      maxRequestTime: self.limits.maximumRequestTime)
    facts.maxRegionsPerUser = self.limits.maximumRegionsPerUser
    facts.maxNamesPerUser = self.limits.maximumNamesPerUser
    facts.maxInboxEvents = self.limits.maximumInboxEvents
    return facts
  }
}

extension Log.Level {
  init(_ level: Settings.Log.Level) {
    switch level {
    case .error: self = .error
    case .warning: self = .warning
    case .notice: self = .notice
    case .info: self = .info
    case .debug: self = .debug
    }
  }

  init(_ level: LogLevel) {
    switch level {
    case .error: self = .error
    case .warning: self = .warning
    case .notice: self = .notice
    case .info: self = .info
    case .debug: self = .debug
    }
  }
}
