import ConfigurationTables
package import Positioning

/// Everything that the bridge's configuration decides. The defaults are here and nowhere else.
///
/// `BridgeSettings.table` has the name, the bounds and the meaning of each key; `BridgeRegion.table` those of a region.
package struct BridgeSettings: Hashable, Sendable, ConfigurationRoot {
  package var mqtt = MQTT()
  package var device = Device()
  package var position = Position()
  package var ownTracks = OwnTracks()
  package var homeAssistant = HomeAssistant()
  package var logLevel = LogLevel.info
  package var regions: [BridgeRegion] = []

  package static let defaults = BridgeSettings()

  package init() {}

  package var parts: [BridgeRegion] {
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
