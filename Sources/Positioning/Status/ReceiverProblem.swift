/// What is wrong with the reports of a receiver that reports.
public enum ReceiverProblem: String, Hashable, Sendable, CaseIterable {
  /// It repeats an earlier report, the receiver's own time included, as a receiver does that hangs.
  case repeating
  /// Its positions arrive later than they did, over a link that holds them back.
  case late
  /// It reports no accuracy, so no request for one can be satisfied.
  case noAccuracy

  /// The same in words.
  package var text: String {
    switch self {
    case .repeating: "the receiver repeats an earlier report, as one that hangs does"
    case .late: "the receiver's positions arrive late, over a link that holds them back"
    case .noAccuracy: "the receiver reports no accuracy; assumed-accuracy= in [receiver] says which to assume"
    }
  }
}
