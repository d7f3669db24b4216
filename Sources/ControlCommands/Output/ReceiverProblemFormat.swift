import Positioning
import Printable

extension DaemonStatus.Receiver {
  /// What is wrong with its reports, in words; `nil` if nothing is.
  var problemText: String? {
    guard let problem = self.problem else { return nil }
    guard problem == .late, let lag = self.lag else { return problem.text }
    return "\(problem.text): by \(TimeSpan.words(lag.seconds))"
  }
}

extension ReceiverProblem {
  /// What to do.
  var advice: String {
    switch self {
    case .repeating: "unplug the receiver and plug it in again; one that does this often is broken"
    case .late: "connect the receiver without the bridge that holds its data back, or have it send less"
    case .noAccuracy:
      "set assumed-accuracy= in [receiver] of positiond.conf: the metres within which 68 % of its fixes are"
    }
  }
}
