import Broker

extension Clearance {
  /// Before the broker has said anything of a client, it is told nothing.
  static let untold = Clearance(
    precision: nil, refusal: .notDetermined(remedy: "ask again: nothing is decided for this connection yet"))

  /// The confidentiality of the most that may be sent.
  var limit: Int { [Sensitivity.precise, .reduced].first { self.allows($0) }?.confidentiality ?? 0 }
}

extension Sensitivity {
  /// As a connection's session knows it, which only compares.
  var confidentiality: Int {
    switch self {
    case .open: 0
    case .reduced: 1
    case .precise: 2
    }
  }
}
