import Positioning
import Printable
import Prompts

/// A prompt's texts for a desktop, of bounded length.
///
/// Dialogs and notifications may take text for markup or even for a format, whatever they announce: xdg-desktop-portal-gtk
/// gives the title to printf, and Qt's labels look for tags and entities. So none of those characters of foreign text is
/// left in it; nor is the quotation mark, which would end the quoted text early.
struct DesktopText: Hashable, Sendable {
  let question: String
  /// The kernel's facts, a line for each.
  let facts: String
  /// The program's own words with their heading; empty: there are none.
  let ownWords: String

  /// How many characters of a foreign text are shown. positiond's own limits are below that, except for a unit's name.
  static let longest = 256

  init(_ prompt: PermissionPrompt) {
    let text = PromptText(prompt)
    self.question = Self.shown(text.question)
    self.facts = text.facts.map { "\($0.label): \(Self.shown($0.text))" }.joined(separator: "\n")
    let own = text.ownWords.map { "\($0.label): \"\(Self.shown($0.text))\"" }
    self.ownWords = own.isEmpty ? "" : ([PromptText.ownWordsHeading] + own).joined(separator: "\n")
  }

  private static let meaningful: [Unicode.Scalar: String] = ["<": "3c", ">": "3e", "&": "26", "%": "25", "\"": "22"]

  private static func shown(_ text: String) -> String {
    text.printable(upTo: self.longest).unicodeScalars.reduce(into: "") { result, scalar in
      if let number = self.meaningful[scalar] {
        result += "\\u{\(number)}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }
}

/// What a person can choose beside yes and no. The words are those of `positionctl agent`.
enum DesktopChoice: String, Hashable, Sendable, CaseIterable {
  case reduced, once, always

  /// The choices that a prompt leaves.
  static func choices(of prompt: PermissionPrompt) -> [DesktopChoice] {
    self.allCases.filter { choice in
      switch choice {
      case .reduced: prompt.precision == .precise
      case .once: true
      case .always: prompt.level == .always
      }
    }
  }
}

extension PromptAnswer {
  /// Yes, with what was chosen of that which the prompt leaves.
  ///
  /// Without a choice it holds while a program is connected, even if more was requested.
  init(allowing prompt: PermissionPrompt, _ chosen: Set<DesktopChoice>) {
    let chosen = chosen.intersection(DesktopChoice.choices(of: prompt))
    self = .allow(
      level: chosen.contains(.always) ? .always : .whenInUse,
      precision: chosen.contains(.reduced) ? .reduced : prompt.precision, remember: !chosen.contains(.once))
  }
}
