import JSONRPC
import Positioning

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
          "value_template": "{{ value_json.duty_cycle_day }}",
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
        "reduced": fix.isReduced ? true : nil, "time": .string("\(now.time(of: fix))"),
      ], isRetained: true, reveals: fix.reveals)
  }

  /// The receiver's power, and what stands in its way.
  func status(_ status: DaemonStatus) -> MQTTMessage {
    MQTTMessage(
      self.names.status,
      json: [
        "power": .string(status.power.current.state.rawValue),
        "rung": .string(status.power.current.rung.rawValue),
        "duty_cycle_hour": Self.percent(status.power.dutyCycle.hour),
        "duty_cycle_day": Self.percent(status.power.dutyCycle.day),
        "starts": .integer(status.power.starts.total), "version": .string(status.version),
        "error": status.lastError.map { .string($0.message) },
      ], isRetained: true)
  }

  /// In percent, with one decimal.
  private static func percent(_ share: Double) -> JSONValue { .number((share * 1000).rounded() / 10) }
}
