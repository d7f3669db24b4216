import PositionProtocol
import Positioning
import Printable

/// Why a one-shot's fix is missing or less accurate than requested, for people.
enum UnmetAccuracyFormat {
  /// One line, such as `no fix was accurate enough within 30 s: best 9.8 m, wanted 5 m; try --accept 50m`.
  static func line(_ result: PositionGetRequest.Result, wanted: AccuracyDemand) -> String {
    let time = TimeSpan.words(result.elapsed.seconds)
    guard let fix = result.fix else { return "no fix within \(time): \(DiagnosticsFormat.line(result.diagnostics))" }
    let start = result.status == .success ? "no better fix within" : "no fix was accurate enough within"
    guard let best = fix.horizontalAccuracy else {
      return "\(start) \(time): accuracy unknown, wanted \(self.text(wanted.meters))"
    }
    // The fix is accurate enough but too old, or as accurate as the permission allows.
    guard best > wanted.meters, !fix.isReduced else {
      return "\(start) \(time): \(DiagnosticsFormat.line(result.diagnostics))"
    }
    let proposal = result.status == .success ? nil : self.steps.first { $0 >= 1.5 * best }
    return "\(start) \(time): best \(self.text(best)), wanted \(self.text(wanted.meters))"
      + (proposal.map { "; try --accept \($0.fixed(0))m" } ?? "")
  }

  /// Accuracies to propose, in metres.
  private static let steps = [10.0, 50, 100, 500, 1000, 5000]

  /// Metres such as `9.8 m` and `5 m`.
  static func text(_ meters: Double) -> String {
    let text = meters.short
    return "\(text.hasSuffix(".0") ? String(text.dropLast(2)) : text) m"
  }
}
