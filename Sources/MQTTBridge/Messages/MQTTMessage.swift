import JSONRPC
package import Positioning

/// A message to the MQTT broker.
package struct MQTTMessage: Hashable, Sendable {
  package var topic: String
  package var payload: [UInt8]
  /// Whether the MQTT broker keeps it for later subscribers.
  package var isRetained: Bool
  /// The precision that it reveals; `nil`: nothing of the position.
  package var reveals: Precision?

  package init(topic: String, payload: [UInt8], isRetained: Bool, reveals: Precision? = nil) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
    self.reveals = reveals
  }

  init(_ topic: String, json: [String: JSONValue?], isRetained: Bool, reveals: Precision? = nil) {
    self.init(
      topic: topic, payload: JSONValue.object(json.compactMapValues { $0 }).encoded(), isRetained: isRetained,
      reveals: reveals)
  }
}
