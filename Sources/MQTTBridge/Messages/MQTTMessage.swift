import JSONRPC

/// A message to the MQTT broker.
package struct MQTTMessage: Hashable, Sendable {
  package var topic: String
  package var payload: [UInt8]
  /// Whether the MQTT broker keeps it for later subscribers.
  package var isRetained: Bool

  package init(topic: String, payload: [UInt8], isRetained: Bool) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }

  init(_ topic: String, json: [String: JSONValue?], isRetained: Bool) {
    self.init(topic: topic, payload: JSONValue.object(json.compactMapValues { $0 }).encoded(), isRetained: isRetained)
  }
}
