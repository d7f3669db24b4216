import Positioning
import Printable

/// The text form of a prompt. The kernel's facts come first. The program's own statements are separate, and quoted
/// unless they are a plain word, so that they cannot imitate the rest.
enum PromptFormat {
  /// - Parameter left: Seconds until the prompt ends.
  static func lines(_ prompt: PermissionPrompt) -> [String] {
    let principal = prompt.principal
    var rows = [("user", PrincipalFormat.user(principal.user, uid: principal.uid))]
    rows.append(("unit", principal.unit.name ?? "unknown, or not a system service"))
    if let pid = principal.pid { rows.append(("process", "\(pid)")) }
    rows.append(("asks for", "the position \(prompt.level.text), \(prompt.precision.text)"))
    var lines = [self.question(principal)] + rows.map { "  \($0.0.padded(8))  \($0.1)" }
    let own = [("name", principal.name), ("purpose", principal.purpose)].compactMap { label, text in
      text.map { "    \(label.padded(8))\"\($0)\"" }
    }
    if !own.isEmpty { lines += ["  The program's own words, which may be false:"] + own }
    return lines
  }

  /// What a yes grants: a stored decision applies to all programs of the user.
  private static func question(_ principal: Principal) -> String {
    let user = principal.user ?? "user \(principal.uid)"
    let asker = principal.name.map { name in
      let isPlain = name.utf8.allSatisfy { Self.plain.contains($0) }
      return " (asked by \(isPlain ? name : "\"\(name)\""))"
    }
    return "Allow programs run by \(user) to know where this device is?\(asker ?? "")"
  }

  /// The characters of a plain name.
  private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.".utf8)

  /// The possible answers.
  ///
  /// - Parameter left: Seconds until the prompt ends.
  static func choices(_ prompt: PermissionPrompt, left: Double) -> String {
    var words = prompt.level == .always ? ["yes (while connected)", "always"] : ["yes"]
    words += ["no", "once"]
    if prompt.precision == .precise { words.append("reduced") }
    return "\(words.dropLast().joined(separator: ", ")) or \(words[words.count - 1])? (\(TimeSpan.words(left)) left) "
  }

  /// The given answer.
  static func line(_ answered: AnsweredPrompt) -> String {
    let answer = answered.answer
    let who = PrincipalFormat.line(answered.principal)
    let once = answer.isRemembered ? "" : ", this time"
    guard answer.isAllowed, let level = answer.level, let precision = answer.precision else {
      return "-- denied\(once): \(who)"
    }
    return "-- allowed \(level.text), \(precision.text)\(once): \(who)"
  }
}
