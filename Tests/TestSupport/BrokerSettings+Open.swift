package import Broker

extension BrokerSettings {
  /// Settings that let everybody know everything: for tests of what has nothing to do with permission.
  package static var open: BrokerSettings {
    var settings = BrokerSettings()
    settings.access.fallback = .allow
    return settings
  }
}
