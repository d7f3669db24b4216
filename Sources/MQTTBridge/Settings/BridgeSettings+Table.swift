package import ConfigurationTables
import Positioning

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
