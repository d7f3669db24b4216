import Printable
import ProgramArguments

/// The text form of checks.
enum CheckFormat {
  static func lines(_ check: Check) -> [Line] {
    let emphasis: Line.Emphasis =
      switch check.outcome {
      case .ok: .good
      case .warning: .doubtful
      case .problem: .bad
      case .unknown: .dim
      }
    let finding = self.wrapped("\(check.subject): \(check.detail)")
    let head = Line(check.outcome.rawValue.padded(8), emphasis) + Line(finding[0].dropFirst(8))
    return [head] + (finding.dropFirst() + (check.advice.map { self.wrapped("-> \($0)") } ?? [])).map { Line($0) }
  }

  /// It contains text from gpsd, of any length.
  private static func wrapped(_ text: String) -> [String] {
    HelpText.wrapped(text.printable(upTo: 1000), indent: 9)
  }

  /// The counts of problems and warnings.
  static func summary(_ checks: [Check]) -> String {
    let problems = checks.count { $0.outcome == .problem }
    let warnings = checks.count { $0.outcome == .warning }
    return "\(problems.counted("problem", "problems")), \(warnings.counted("warning", "warnings"))"
  }
}
