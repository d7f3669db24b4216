import PositionProtocol

/// A question to a person, as a terminal shows it. What the kernel says comes first; each word of the program stands on a
/// line of its own, so that it can pass for nothing else.
enum PromptFormat {
  /// - Parameter left: Seconds that an answer counts.
  static func lines(_ prompt: AgentAuthorizeRequest) -> [String] {
    let principal = prompt.principal
    var rows = [("user", PrincipalFormat.user(principal.user, uid: principal.uid))]
    rows.append(("unit", principal.unit ?? "not known, or none of the system"))
    if let pid = principal.pid { rows.append(("process", "\(pid)")) }
    rows.append(("asks for", "the position \(prompt.level.words), \(prompt.precision.words)"))
    var lines = ["May this program know where this device is?"] + rows.map { "  \($0.0.padded(8))  \($0.1)" }
    let own = [("name", principal.name), ("purpose", principal.purpose)].compactMap { label, text in
      text.map { "    \(label.padded(8))\"\($0)\"" }
    }
    if !own.isEmpty { lines += ["  What it says of itself, which may be false:"] + own }
    return lines
  }

  /// What may be answered.
  ///
  /// - Parameter left: Seconds that an answer counts.
  static func choices(_ prompt: AgentAuthorizeRequest, left: Double) -> String {
    var words = prompt.level == .always ? ["yes (while connected)", "always"] : ["yes"]
    words += ["no", "once"]
    if prompt.precision == .precise { words.append("reduced") }
    return "\(words.dropLast().joined(separator: ", ")) or \(words[words.count - 1])? (\(TimeSpan.words(left)) left) "
  }

  /// What became of it.
  static func line(_ answer: AnsweredPrompt) -> String {
    let who = PrincipalFormat.line(answer.principal)
    let once = answer.remember ? "" : ", this time"
    guard answer.decision == .allow, let level = answer.level, let precision = answer.precision else {
      return "-- denied\(once): \(who)"
    }
    return "-- allowed \(level.words), \(precision.words)\(once): \(who)"
  }
}
