/// What the device is called at the MQTT broker, and the topics that follow from it.
package struct BridgeNames: Hashable, Sendable {
  /// The device, as a level of topics.
  package let device: String
  let user: String
  let trackerID: String
  package let clientID: String
  private let prefix: String
  private let ownTracksPrefix: String
  private let discoveryPrefix: String

  /// - Parameter host: The host's name, in place of a device's name that is not configured.
  package init(_ settings: BridgeSettings, host: String) {
    let device = settings.device.name ?? TopicLevel.made(of: host)
    self.device = device
    self.user = settings.device.user
    self.trackerID = settings.device.trackerID ?? String(device.suffix(2))
    self.clientID = settings.mqtt.clientID ?? "positiond-\(device)"
    self.prefix = settings.mqtt.prefix
    self.ownTracksPrefix = settings.ownTracks.prefix
    self.discoveryPrefix = settings.homeAssistant.prefix
  }

  /// `online`, or `offline`, which is the last will.
  package var connection: String { "\(self.prefix)/\(self.device)/connection" }
  /// The newest fix, as Home Assistant reads it.
  var attributes: String { "\(self.prefix)/\(self.device)/attributes" }
  /// The receiver.
  var status: String { "\(self.prefix)/\(self.device)/status" }
  /// OwnTracks' locations.
  var location: String { "\(self.ownTracksPrefix)/\(self.user)/\(self.device)" }
  /// OwnTracks' transitions.
  var transition: String { "\(self.location)/event" }

  /// The id of one of the device's entities in Home Assistant.
  func entity(_ part: String) -> String { "positiond_\(self.device)\(part.isEmpty ? "" : "_\(part)")" }

  func discovery(_ component: String, _ part: String) -> String {
    "\(self.discoveryPrefix)/\(component)/\(self.entity(part))/config"
  }
}
