import ConfigurationTables
import JSONRPC
import Positioning

/// What is published: for a connection, an event and a status.
struct BridgeMessages: Sendable {
  let settings: BridgeSettings
  let names: BridgeNames

  /// The message that the MQTT broker publishes when the bridge is gone.
  var lastWill: MQTTMessage { self.connection("offline") }

  /// The messages at the beginning of each connection.
  var greeting: [MQTTMessage] {
    [self.connection("online")] + (self.settings.homeAssistant.isEnabled ? self.discovery : [])
  }

  /// The messages that remove what the MQTT broker keeps of the position. For Home Assistant it is an object without
  /// members, because an empty message does not make it forget the attributes.
  var withdrawal: [MQTTMessage] {
    (self.settings.ownTracks.isEnabled ? [MQTTMessage(topic: self.names.location, payload: [], isRetained: true)] : [])
      + (self.settings.homeAssistant.isEnabled ? [MQTTMessage(self.names.attributes, json: [:], isRetained: true)] : [])
  }

  private func connection(_ state: String) -> MQTTMessage {
    MQTTMessage(topic: self.names.connection, payload: Array(state.utf8), isRetained: true)
  }

  /// The messages for an event of the durable name; none if no format has one for it.
  func messages(for content: DurableContent, at now: WallMoment) -> [MQTTMessage] {
    switch content {
    case .region(let event): self.settings.ownTracks.isEnabled ? self.transitions(event, at: now) : []
    case .visit: []
    case .position(let update): self.positions(update.fixes + (update.fix.map { [$0] } ?? []), at: now)
    }
  }

  /// Each fix for OwnTracks, which draws a path, and the newest for Home Assistant, which shows where the device is.
  private func positions(_ fixes: [Fix], at now: WallMoment) -> [MQTTMessage] {
    let locations = self.settings.ownTracks.isEnabled ? fixes.map { self.location($0, at: now) } : []
    let attributes = self.settings.homeAssistant.isEnabled ? fixes.last.map { [self.attributes($0, at: now)] } : nil
    return locations + (attributes ?? [])
  }
}

/// OwnTracks' JSON: https://owntracks.org/booklet/tech/json/. Its numbers are integers, except latitude and longitude.
extension BridgeMessages {
  /// `_type` location. Retained, as the apps' are, so that a map that starts shows the newest one.
  func location(_ fix: Fix, at now: WallMoment) -> MQTTMessage {
    var members = self.place(fix, at: now)
    members["_type"] = "location"
    members["created_at"] = Self.seconds(now.timestamp)
    // p: from the background; t: by time.
    members["t"] = self.settings.position.mode == .deferred ? "t" : "p"
    members["alt"] = fix.altitude.map { Self.integer($0) }
    members["vac"] = fix.verticalAccuracy.map { Self.integer($0.rounded(.up)) }
    members["vel"] = fix.speed.map { Self.integer($0 * 3.6) }
    members["cog"] = fix.course.map { .integer(Int($0.rounded()) % 360) }
    return MQTTMessage(self.names.location, json: members, isRetained: true, reveals: fix.reveals)
  }

  /// `_type` transition; none for an event that OwnTracks does not know.
  func transitions(_ event: RegionEvent, at now: WallMoment) -> [MQTTMessage] {
    let words: [JSONValue] =
      switch event.kind {
      case .enter: ["enter"]
      case .exit: ["leave"]
      case .crossed: ["enter", "leave"]
      case .dwell, .expired, .unknown: []
      }
    return words.map { word in
      var members = event.fix.map { self.place($0, at: now) } ?? ["tst": Self.seconds(now.timestamp)]
      members["_type"] = "transition"
      members["event"] = word
      members["desc"] = .string(event.id)
      members["t"] = "c"
      members["tid"] = .string(self.names.trackerID)
      // The region began so, and nothing was entered or left. OwnTracks' apps ignore what they do not know.
      members["initial"] = event.isInitial ? true : nil
      return MQTTMessage(
        self.names.transition, json: members, isRetained: false, reveals: event.isReduced ? .reduced : .precise)
    }
  }

  private func place(_ fix: Fix, at now: WallMoment) -> [String: JSONValue?] {
    [
      "lat": .number(fix.latitude), "lon": .number(fix.longitude), "tst": Self.seconds(now.time(of: fix)),
      "tid": .string(self.names.trackerID),
      // Rounded up: never better than the truth.
      "acc": fix.horizontalAccuracy.map { Self.integer($0.rounded(.up)) },
    ]
  }

  private static func seconds(_ time: Timestamp) -> JSONValue { .integer(Int(time.wholeSeconds.seconds)) }

  private static func integer(_ value: Double) -> JSONValue { .integer(Int(clamping: Int64(value.rounded()))) }
}

/// Home Assistant's MQTT discovery: https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery.
extension BridgeMessages {
  /// The configurations of the device's entities. An empty one removes an entity.
  var discovery: [MQTTMessage] {
    [
      // Without the topic of the connection: a device that cannot be reached is still where it was.
      self.entity(
        "device_tracker", "",
        ["name": .null, "source_type": "gps", "json_attributes_topic": .string(self.names.attributes)],
        isShownOffline: true),
      self.entity(
        "binary_sensor", "connection",
        [
          "name": "Connection", "device_class": "connectivity", "entity_category": "diagnostic",
          "state_topic": .string(self.names.connection), "payload_on": "online", "payload_off": "offline",
        ], isShownOffline: true),
      self.entity(
        "sensor", "accuracy",
        [
          "name": "Accuracy", "device_class": "distance", "unit_of_measurement": "m", "state_class": "measurement",
          "entity_category": "diagnostic", "state_topic": .string(self.names.attributes),
          "value_template": "{{ value_json.gps_accuracy }}",
        ]),
      self.entity(
        "sensor", "power",
        [
          "name": "Receiver", "device_class": "enum", "entity_category": "diagnostic",
          "options": .array(PowerState.State.allCases.map { .string($0.rawValue) }),
          "state_topic": .string(self.names.status), "value_template": "{{ value_json.power }}",
        ]),
      self.entity(
        "sensor", "duty_cycle",
        [
          "name": "Receiver on, last day", "unit_of_measurement": "%", "state_class": "measurement",
          "entity_category": "diagnostic", "state_topic": .string(self.names.status),
          "value_template": "{{ value_json.duty_cycle_day | default(none) }}",
        ]),
    ]
  }

  private func entity(
    _ component: String, _ part: String, _ members: [String: JSONValue?], isShownOffline: Bool = false
  ) -> MQTTMessage {
    var members = members
    members["unique_id"] = .string(self.names.entity(part))
    members["object_id"] = .string(self.names.entity(part))
    members["device"] = [
      "identifiers": [.string(self.names.entity(""))], "name": .string(self.names.device),
      "manufacturer": "positiond", "sw_version": .string(Release.version),
    ]
    members["origin"] = ["name": "positiond-mqtt", "sw_version": .string(Release.version)]
    if !isShownOffline { members["availability_topic"] = .string(self.names.connection) }
    return MQTTMessage(self.names.discovery(component, part), json: members, isRetained: true)
  }

  /// The newest fix, with the attributes that Home Assistant's map reads.
  func attributes(_ fix: Fix, at now: WallMoment) -> MQTTMessage {
    MQTTMessage(
      self.names.attributes,
      json: [
        "latitude": .number(fix.latitude), "longitude": .number(fix.longitude),
        "gps_accuracy": fix.horizontalAccuracy.map { .number($0) }, "altitude": fix.altitude.map { .number($0) },
        "vertical_accuracy": fix.verticalAccuracy.map { .number($0) }, "speed": fix.speed.map { .number($0) },
        "course": fix.course.map { .number($0) }, "satellites": fix.satellitesUsed.map { .integer($0) },
        "reduced": fix.isReduced ? true : nil, "integrity": fix.integrity.map { .string($0.rawValue) },
        "doubt": fix.integrityReasons.isEmpty ? nil : .string(fix.integrityReasons.text),
        "time": .string("\(now.time(of: fix))"),
      ], isRetained: true, reveals: fix.reveals)
  }

  /// The receiver's power, and what stands in its way.
  func status(_ status: DaemonStatus, now: Instant) -> MQTTMessage {
    let uptime = status.uptime(at: now)
    let hour = uptime >= .seconds(3600) ? status.power.dutyCycle.hour : nil
    let day = uptime >= .seconds(86400) ? status.power.dutyCycle.day : nil
    let firstDay = uptime < .seconds(86400) ? uptime : nil
    return MQTTMessage(
      self.names.status,
      json: [
        "power": .string(status.power.current.state.rawValue),
        "rung": .string(status.power.current.rung.rawValue),
        // A share of a time that has not passed would mislead whoever compares it with another one.
        "duty_cycle_hour": hour.map(Self.percent), "duty_cycle_day": day.map(Self.percent),
        // Until then: of how many seconds it was on.
        "on_seconds": firstDay.map { _ in .number(status.power.onTime.seconds.rounded()) },
        "of_seconds": firstDay.map { .number($0.seconds.rounded()) },
        "starts": .integer(status.power.starts.total), "version": .string(status.version),
        "error": status.lastError.map { .string($0.message) },
        "integrity": status.receiver.integrity.map { .string($0.rawValue) },
        "doubt": status.receiver.integrityReasons.isEmpty ? nil : .string(status.receiver.integrityReasons.text),
      ], isRetained: true)
  }

  /// In percent, with one decimal.
  private static func percent(_ share: Double) -> JSONValue { .number((share * 1000).rounded() / 10) }
}

/// A message to the MQTT broker.
package struct MQTTMessage: Hashable, Sendable {
  package var topic: String
  package var payload: [UInt8]
  /// Whether the MQTT broker keeps it for later subscribers.
  package var isRetained: Bool
  /// The precision that it reveals; `nil`: nothing of the position.
  var reveals: Precision?
}

extension MQTTMessage {
  init(_ topic: String, json: [String: JSONValue?], isRetained: Bool, reveals: Precision? = nil) {
    self.init(
      topic: topic, payload: JSONValue.object(json.compactMapValues { $0 }).encoded(), isRetained: isRetained,
      reveals: reveals)
  }
}

/// What the device is called at the MQTT broker, and the topics that follow from it.
package struct BridgeNames: Hashable, Sendable {
  /// The device, as a level of topics.
  package let device: String
  let user: String
  let trackerID: String
  let clientID: String
  private let prefix: String
  private let ownTracksPrefix: String
  private let discoveryPrefix: String

  /// - Parameter host: The host's name, in place of a device's name that is not configured.
  package init(_ settings: BridgeSettings, host: String) {
    let device = settings.device.name ?? Self.topicLevel(host)
    self.device = device
    self.user = settings.device.user
    self.trackerID = settings.device.trackerID ?? String(device.suffix(2))
    self.clientID = settings.mqtt.clientID ?? "positiond-\(device)"
    self.prefix = settings.mqtt.prefix
    self.ownTracksPrefix = settings.ownTracks.prefix
    self.discoveryPrefix = settings.homeAssistant.prefix
  }

  /// The text with a - in place of every byte that is not allowed in a topic's level, cut to 64 bytes; `device` if nothing is
  /// left.
  private static func topicLevel(_ text: String) -> String {
    let bytes = text.utf8.prefix(64).map { isNameByte($0) ? $0 : UInt8(ascii: "-") }
    return bytes.isEmpty ? "device" : String(decoding: bytes, as: UTF8.self)
  }

  /// `online`, or `offline`, which is the last will.
  var connection: String { "\(self.prefix)/\(self.device)/connection" }
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
