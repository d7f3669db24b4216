import Positioning

extension AccuracySource {
  /// The text after "accuracy".
  var text: String {
    switch self {
    case .standardDeviations: "from the receiver's standard deviations"
    case .earlierDeviations: "from the receiver's earlier standard deviations"
    case .receiver: "from the receiver's estimate"
    case .nominal95: "from gpsd's estimate"
    case .dilution: "from HDOP and error-per-hdop"
    case .assumed: "assumed"
    case .vague: "unknown to the receiver"
    }
  }
}
