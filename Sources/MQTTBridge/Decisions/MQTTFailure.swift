/// Why there is no connection to the MQTT broker, and what to do, in words.
package struct MQTTFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The end of a sentence that begins with the MQTT broker.
  package let reason: String
  /// What to do; `nil`: wait.
  package let advice: String?

  package init(_ reason: String, advice: String? = nil) {
    self.reason = reason
    self.advice = advice
  }

  static func silent(_ reason: String) -> Self {
    Self("\(reason) within \(BridgeMachine.patience.components.seconds) s", advice: "see its log")
  }

  package var description: String {
    "no MQTT broker: \(self.reason)\(self.advice.map { "; \($0)" } ?? "")"
  }
}
