package import Broker

extension BrokerSettings {
  /// Settings that grant everything to everybody, for tests without permission.
  package static var open: BrokerSettings {
    var settings = BrokerSettings()
    settings.access.fallback = .allow
    return settings
  }
}
