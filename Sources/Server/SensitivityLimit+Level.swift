import Broker

extension SensitivityLimit {
  /// Before the broker has decided on a client, nothing is sent to it.
  static let nothing = SensitivityLimit(
    precision: nil, refusal: .notDetermined(remedy: "ask again: nothing is decided for this connection yet"))

  /// The sensitivity of the most that may be sent, in the numbers that a session compares.
  var level: Int { ([.precise, .reduced].first(where: self.allows) ?? Sensitivity.open).rawValue }
}
