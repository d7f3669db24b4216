package import Broker
package import Gpsd
package import Positioning
package import Server

/// Everything that the configuration decides: what each part of the daemon is set by, as that part has it. The defaults
/// stand in these types and nowhere else.
///
/// `Settings.table` names the key, the bounds and the meaning of each; `AccessRule.table` those of a rule.
package struct Settings: Hashable, Sendable, Configurable {
  package var socket = Socket()
  package var server = ServerLimits()
  package var broker = BrokerSettings()
  package var gpsd = GpsdSettings()
  package var rung = Rung.watch
  /// The database of what must outlive the daemon.
  package var store = "/var/lib/positiond/positiond.db"
  /// The least severe messages that are written.
  package var logLevel = LogLevel.info

  package static let defaults = Settings()

  package init() {}

  /// In the order in which the files first name them, which is the order in which they are tried.
  package var rules: [AccessRule] {
    get { self.broker.access.rules }
    set { self.broker.access.rules = newValue }
  }

  /// Where clients come in.
  package struct Socket: Hashable, Sendable {
    package var path = "/run/positiond/positiond.sock"
    /// Its permission bits. Who may connect is not who may have what: that is decided per client.
    package var mode: UInt32 = 0o666
  }

  /// A way to have power saved, named as the configuration names it.
  package enum Rung: String, Hashable, Sendable, CaseIterable {
    /// gpsd is watched while there is need, and closes the device when nobody watches.
    case watch
  }
}
