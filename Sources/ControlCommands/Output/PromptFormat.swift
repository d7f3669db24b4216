import Positioning
import Printable
import Prompts

/// The text form of a prompt. The kernel's facts come first. The program's own statements are separate, and quoted
/// unless they are a plain word, so that they cannot imitate the rest.
enum PromptFormat {
  static func lines(_ prompt: PermissionPrompt) -> [String] {
    let text = PromptText(prompt)
    var lines = [text.question + self.asker(prompt.principal)]
    lines += text.facts.map { "  \($0.label.padded(8))  \($0.text)" }
    if !text.ownWords.isEmpty {
      lines += ["  \(PromptText.ownWordsHeading)"] + text.ownWords.map { "    \($0.label.padded(8))\"\($0.text)\"" }
    }
    return lines
  }

  /// The name that the asking program gives itself, behind the question.
  private static func asker(_ principal: Principal) -> String {
    guard let name = principal.name else { return "" }
    let isPlain = name.utf8.allSatisfy { Self.plain.contains($0) }
    return " (asked by \(isPlain ? name : "\"\(name)\""))"
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
