import Broker

extension SensitivityLimit {
  /// The limit before the broker has decided on a client: nothing is sent to it.
  static let nothing = SensitivityLimit(
    precision: nil, denial: .notDetermined(remedy: "ask again: nothing is decided for this connection yet"))

  /// The highest sensitivity that may be sent, in the numbers that a session compares.
  var level: Int { ([.precise, .reduced].first(where: self.allows) ?? Sensitivity.open).rawValue }
}
