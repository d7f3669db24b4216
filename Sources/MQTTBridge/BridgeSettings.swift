package import ConfigurationTables
package import Positioning

/// Everything that the bridge's configuration decides. The defaults are here and nowhere else.
///
/// `BridgeSettings.table` has the name, the bounds and the meaning of each key; `ConfiguredRegion.table` those of a region.
package struct BridgeSettings: Hashable, Sendable, ConfigurationRoot {
  package var mqtt = MQTT()
  package var device = Device()
  package var position = Position()
  package var ownTracks = OwnTracks()
  package var homeAssistant = HomeAssistant()
  package var logLevel = LogLevel.info
  package var regions: [ConfiguredRegion] = []

  package static let defaults = BridgeSettings()

  package init() {}

  package var parts: [ConfiguredRegion] {
    get { self.regions }
    set { self.regions = newValue }
  }

  /// The connection to the MQTT broker.
  package struct MQTT: Hashable, Sendable {
    package var host = "localhost"
    /// `nil`: 1883, or 8883 with TLS.
    package var port: Int?
    /// The MQTT broker's Unix socket, in place of host and port.
    package var socket: String?
    package var clientID: String?
    package var user: String?
    package var passwordFile: String?
    package var usesTLS = false
    package var authorityFile: String?
    package var certificateFile: String?
    package var keyFile: String?
    package var keepAlive = Duration.seconds(60)
    /// The first level of the topics that neither OwnTracks nor Home Assistant defines.
    package var prefix = "positiond"

    /// The TCP port.
    package var effectivePort: Int { self.port ?? (self.usesTLS ? 8883 : 1883) }
  }

  /// What the device is called.
  package struct Device: Hashable, Sendable {
    /// `nil`: the host's name.
    package var name: String?
    package var user = "positiond"
    /// `nil`: the last two characters of the name.
    package var trackerID: String?
  }

  /// What is registered with positiond.
  package struct Position: Hashable, Sendable {
    package var socket: String?
    package var durable = "mqtt"
    package var mode = Mode.significant
    package var distance = 100.0
    package var interval = Duration.seconds(60)
    package var batch = Duration.seconds(30)
    package var accuracy = AccuracyLevel.house

    /// How positions are followed.
    package enum Mode: String, Hashable, Sendable, CaseIterable {
      case significant, deferred, none
    }
  }

  package struct OwnTracks: Hashable, Sendable {
    package var isEnabled = true
    package var prefix = "owntracks"
  }

  package struct HomeAssistant: Hashable, Sendable {
    package var isEnabled = false
    package var prefix = "homeassistant"
  }
}

extension BridgeSettings {
  /// The main file of the installed program.
  package static let installedPath = "/etc/positiond/positiond-mqtt.conf"

  private typealias Key = ConfigurationKey<BridgeSettings>

  /// The keys in the order of the installed file and the documentation. All take effect after a restart.
  package static let table: [ConfigurationKey<BridgeSettings>] =
    mqttTable + deviceTable + positionTable + formatTable + logTable

  private static let mqttTable: [Key] = [
    Key(
      "mqtt", "host", \.mqtt.host, .line("a host's name or address"),
      "The MQTT broker's host", effect: .afterRestart),
    Key(
      "mqtt", "port", \.mqtt.port, .orUnset(.count(1...65535)),
      "Its TCP port; empty: 1883, or 8883 with tls=yes", effect: .afterRestart),
    Key(
      "mqtt", "socket", \.mqtt.socket, .orUnset(.socketPath),
      "Its Unix socket; if set, host= and port= do not count", effect: .afterRestart),
    Key(
      "mqtt", "client-id", \.mqtt.clientID, .orUnset(.line("a text")),
      "The MQTT client id, which no other client may use; empty: positiond- and the device's name",
      effect: .afterRestart),
    Key(
      "mqtt", "user", \.mqtt.user, .orUnset(.line("a text")),
      "The user's name at the MQTT broker; empty: none", effect: .afterRestart),
    Key(
      "mqtt", "password-file", \.mqtt.passwordFile, .orUnset(.file),
      "A file whose first line is the password; only the bridge's user should be able to read it",
      effect: .afterRestart),
    Key(
      "mqtt", "tls", \.mqtt.usesTLS, .boolean,
      "Whether to encrypt the connection, and to check the MQTT broker's certificate", effect: .afterRestart),
    Key(
      "mqtt", "ca-file", \.mqtt.authorityFile, .orUnset(.file),
      "The certificates that are trusted, in PEM; empty: those in /etc/ssl/certs", effect: .afterRestart),
    Key(
      "mqtt", "certificate-file", \.mqtt.certificateFile, .orUnset(.file),
      "The bridge's own certificate, in PEM, if the MQTT broker wants one", effect: .afterRestart),
    Key(
      "mqtt", "key-file", \.mqtt.keyFile, .orUnset(.file),
      "The key of that certificate, in PEM, without a password", effect: .afterRestart),
    Key(
      "mqtt", "keepalive", \.mqtt.keepAlive, .duration(.seconds(5) ... .seconds(3600)),
      "How often the connection is checked; after one and a half times this the MQTT broker publishes the last will",
      effect: .afterRestart),
    Key(
      "mqtt", "prefix", \.mqtt.prefix, .topicLevel,
      "The first level of the topics of connection, status and attributes", effect: .afterRestart),
  ]

  private static let deviceTable: [Key] = [
    Key(
      "device", "name", \.device.name, .orUnset(.topicLevel),
      "What the device is called in topics; empty: the host's name", effect: .afterRestart),
    Key(
      "device", "user", \.device.user, .topicLevel,
      "The user in OwnTracks' topics", effect: .afterRestart),
    Key(
      "device", "tracker-id", \.device.trackerID, .orUnset(.trackerID),
      "What OwnTracks shows on the map; empty: the last two characters of the name", effect: .afterRestart),
  ]

  private static let positionTable: [Key] = [
    Key(
      "position", "socket", \.position.socket, .orUnset(.socketPath),
      "positiond's socket; empty: the installed one", effect: .afterRestart),
    Key(
      "position", "durable", \.position.durable, .topicLevel,
      "The durable name under which events wait while the MQTT broker is away", effect: .afterRestart),
    Key(
      "position", "mode", \.position.mode, .choice(),
      "significant: a fix after distance= and interval=, and the receiver sleeps in between; deferred: it stays on, "
        + "and fixes come in batches; none: only regions",
      effect: .afterRestart),
    Key(
      "position", "distance", \.position.distance, .decimal(0...1_000_000, unit: "metres"),
      "Metres between two fixes", effect: .afterRestart),
    Key(
      "position", "interval", \.position.interval, .duration(.seconds(1) ... .seconds(86_400)),
      "The least time between two fixes", effect: .afterRestart),
    Key(
      "position", "batch", \.position.batch, .duration(.seconds(1) ... .seconds(86_400)),
      "For mode=deferred: how long fixes are collected before they are published", effect: .afterRestart),
    Key(
      "position", "accuracy", \.position.accuracy, .choice(),
      "The accuracy that is requested of the receiver", effect: .afterRestart),
  ]

  private static let formatTable: [Key] = [
    Key(
      "owntracks", "enabled", \.ownTracks.isEnabled, .boolean,
      "Whether to publish positions and regions as OwnTracks does", effect: .afterRestart),
    Key(
      "owntracks", "prefix", \.ownTracks.prefix, .topicLevel,
      "The first level of OwnTracks' topics", effect: .afterRestart),
    Key(
      "home-assistant", "enabled", \.homeAssistant.isEnabled, .boolean,
      "Whether Home Assistant finds the device, its accuracy and the receiver's power by itself",
      effect: .afterRestart),
    Key(
      "home-assistant", "prefix", \.homeAssistant.prefix, .topicLevel,
      "Home Assistant's discovery prefix", effect: .afterRestart),
  ]

  private static let logTable: [Key] = [
    Key("log", "level", \.logLevel, .choice(), "The least severe messages to log", effect: .afterRestart)
  ]
}

extension SettingKind where Value == String {
  /// One level of a topic that every broker and Home Assistant accept.
  static var topicLevel: SettingKind {
    .text("at most 64 letters, digits or -_") {
      (1...64).contains($0.utf8.count) && $0.utf8.allSatisfy(isNameByte)
    }
  }

  /// OwnTracks' two characters on the map.
  static var trackerID: SettingKind {
    .text("one or two letters or digits") { (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy(isNameByte) }
  }

  /// Any text that fits into a field of MQTT.
  ///
  /// - Parameter what: The expectation.
  static func line(_ what: String) -> SettingKind {
    .text("\(what) of at most 255 bytes", longest: 255) { !$0.isEmpty }
  }
}
