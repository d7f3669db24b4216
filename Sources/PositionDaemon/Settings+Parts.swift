import Broker
import Configuration
import EventLoop
import Gpsd
import Positioning
import Server

/// The settings of each part of the daemon, where they take some computation.
extension Settings {
  /// - Parameters:
  ///   - accounts: The results of the lookups of users and groups.
  ///   - warn: Called with each rule whose user or group does not exist.
  func broker(
    _ accounts: [AccountQuery: AccountLookup<Account>], warn: (String) -> Void
  ) -> BrokerSettings {
    var settings = self
    settings.resolveRules(accounts, warn: warn)
    settings.broker.fixes.device = self.gpsd.device
    settings.broker.gpsdAddress = self.gpsd.address
    return settings.broker
  }

  var serverInfo: ServerInfo {
    ServerInfo(version: Release.version, limits: self.server, broker: self.broker)
  }
}
