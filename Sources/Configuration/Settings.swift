package import Broker
package import Gpsd
package import Positioning
package import Receiver
package import Server

/// Everything that the configuration decides, in the types of the daemon's parts. The defaults are in these types and
/// nowhere else.
///
/// `Settings.table` has the name, the bounds and the meaning of each key; `AccessRule.table` those of a rule's keys.
package struct Settings: Hashable, Sendable {
  package var socket = Socket()
  package var doors = Doors()
  package var server = ServerLimits()
  package var broker = BrokerSettings()
  package var gpsd = GpsdSettings()
  package var power = PowerSettings()
  /// The database of everything that outlives a restart.
  package var store = "/var/lib/positiond/positiond.db"
  /// The least severe messages that are written.
  package var logLevel = LogLevel.info

  package static let defaults = Settings()

  package init() {}

  /// In the order in which the files first name them, in which they are also tried.
  package var rules: [AccessRule] {
    get { self.broker.access.rules }
    set { self.broker.access.rules = newValue }
  }

  /// The socket for clients.
  package struct Socket: Hashable, Sendable {
    package var path = "/run/positiond/positiond.sock"
    /// The permission bits. They decide who may connect; what a client may know is decided per client.
    package var mode: UInt32 = 0o666
  }

  /// The sockets for programs that know positiond's protocol not, but another one; `nil`: none.
  package struct Doors: Hashable, Sendable {
    /// The path of a Unix socket that gives NMEA 0183.
    package var nmeaSocket: String?
    /// The port of a TCP socket at the loopback addresses that speaks gpsd's protocol.
    package var gpsdPort: Int?
    /// The path of a Unix socket that does.
    package var gpsdSocket: String?
  }
}
