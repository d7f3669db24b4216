package import Broker

/// Everything that the configuration decides, with its defaults: they stand here and nowhere else.
///
/// `Settings.table` names the key, the bounds and the meaning of each; `Settings.Rule.table` those of a rule.
package struct Settings: Hashable, Sendable, Configurable {
  package var server = Server()
  package var limits = Limits()
  package var gpsd = Gpsd()
  package var receiver = Receiver()
  package var fix = Fix()
  package var heading = Heading()
  package var authorization = Authorization()
  package var store = Store()
  package var log = Log()
  /// In the order in which the files first name them, which is the order in which they are tried.
  package var rules: [Rule] = []

  package static let defaults = Settings()

  package init() {}

  /// Where clients come in.
  package struct Server: Hashable, Sendable {
    package var socket = "/run/positiond/positiond.sock"
    /// The socket's permission bits. Who may connect is not who may have what: that is decided per client.
    package var socketMode: UInt32 = 0o666
  }

  /// What one client, one user and all together may use, so that nobody notices another's excess.
  package struct Limits: Hashable, Sendable {
    package var maximumClients = 1024
    package var maximumClientsPerUser = 256
    package var maximumFrameBytes = 64 << 10
    package var maximumOutboundBytes = 256 << 10
    package var maximumOutboundBytesPerUser = 8 << 20
    package var maximumRequestsPerClient = 256
    package var maximumSubscriptionsPerClient = 256
    package var maximumRequestsPerUser = 1024
    package var maximumSubscriptionsPerUser = 1024
    package var maximumStatusPerUser = 64
    package var maximumDeferredPerUser = 64
    package var maximumCornersPerUser = 100_000
    package var maximumRegionsPerUser = 10_000
    package var maximumNamesPerUser = 32
    package var maximumRequests = 16_384
    package var maximumSubscriptions = 16_384
    package var maximumDeferred = 256
    package var maximumRegions = 50_000
    package var maximumCorners = 2_000_000
    package var maximumNames = 128
    package var maximumInboxEvents = 1000
    package var maximumRequestTime = Duration.seconds(3600)
  }

  /// Where gpsd is, and which of its devices is meant.
  package struct Gpsd: Hashable, Sendable {
    /// `localhost`, or a numeric address: looking up a name would block.
    package var host = "127.0.0.1"
    package var port = 2947
    /// A path as gpsd knows it; `nil` for whatever gpsd has.
    package var device: String?
  }

  /// How the receiver is turned on and off.
  package struct Receiver: Hashable, Sendable {
    /// A way to have power saved, named as the configuration names it.
    package enum Rung: String, Hashable, Sendable, CaseIterable {
      /// gpsd is watched while there is need, and closes the device when nobody watches.
      case watch
    }

    package var rung = Rung.watch
    package var linger = Duration.seconds(60)
    package var minimumOff = Duration.seconds(300)
    /// Metres, the 68 % radius; `nil` leaves what the receiver does not tell unknown.
    package var assumedAccuracy: Double?
    /// Metres, the 68 % radius at an HDOP of 1.
    package var errorPerDilution = 5.0
    package var allowsSimulated = false
  }

  /// What a report must pass to become a fix, and when fixes count as lost.
  package struct Fix: Hashable, Sendable {
    /// Metres per second.
    package var maximumSpeed = 500.0
    package var lossAfter = Duration.seconds(8)
  }

  /// When the course of the moving device is its heading, where no sensor tells one.
  package struct Heading: Hashable, Sendable {
    /// Metres per second.
    package var courseMinimumSpeed = 1.0
  }

  /// Whether anybody may know the position, and what holds for those of whom no rule and no person speaks.
  package struct Authorization: Hashable, Sendable {
    /// The master switch.
    package var isEnabled = true
    package var fallback = AccessPolicy.Fallback.ask
  }

  /// Where what must outlive the daemon is kept.
  package struct Store: Hashable, Sendable {
    package var path = "/var/lib/positiond/positiond.db"
  }

  package struct Log: Hashable, Sendable {
    /// The least severe messages that are written, named as syslog names them.
    package enum Level: String, Hashable, Sendable, CaseIterable {
      case error, warning, notice, info, debug
    }

    package var level = Level.info
  }
}
