/// Checks as people read them.
enum CheckFormat {
  static func lines(_ check: Check, style: Style) -> [String] {
    let outcome = check.outcome.rawValue.padded(8)
    let painted =
      switch check.outcome {
      case .ok: style.good(outcome)
      case .warning: style.doubtful(outcome)
      case .problem: style.bad(outcome)
      case .unknown: style.dim(outcome)
      }
    var lines = HelpText.wrapped("\(check.subject): \(Escaping.escaped(check.detail))", indent: 9)
    lines[0] = "\(painted) \(lines[0].dropFirst(9))"
    guard let advice = check.advice else { return lines }
    return lines + HelpText.wrapped("-> \(Escaping.escaped(advice))", indent: 9)
  }

  /// How it went in all.
  static func summary(_ checks: [Check]) -> String {
    let problems = checks.count { $0.outcome == .problem }
    let warnings = checks.count { $0.outcome == .warning }
    return "\(problems.counted("problem", "problems")), \(warnings.counted("warning", "warnings"))"
  }
}
