import Positioning

extension AccuracySource {
  /// As it stands behind "accuracy".
  var words: String {
    switch self {
    case .standardDeviations: "by the receiver's standard deviations"
    case .earlierDeviations: "by the receiver's earlier standard deviations"
    case .receiver: "by the receiver"
    case .nominal95: "by gpsd"
    case .dilution: "by HDOP and error-per-hdop"
    case .assumed: "assumed"
    case .vague: "not known to the receiver"
    }
  }
}
