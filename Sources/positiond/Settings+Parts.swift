import Broker
import Configuration
import EventLoop
import Gpsd
import Positioning
import Server

/// What the parts of the daemon take of the configuration where that is more than a branch of it.
extension Settings {
  /// - Parameters:
  ///   - accounts: what the system said of those whom the rules name.
  ///   - warn: hears of each rule that names whom the system does not know.
  func broker(
    _ accounts: [AccountQuestion: AccountLookup<Account>], warn: (String) -> Void
  ) -> BrokerSettings {
    var settings = self
    settings.resolveRules(accounts, warn: warn)
    settings.broker.fixes.device = self.gpsd.device
    return settings.broker
  }

  func daemonFacts(began: Instant) -> DaemonFacts {
    DaemonFacts(version: Release.version, began: began, limits: self.server, broker: self.broker)
  }
}
