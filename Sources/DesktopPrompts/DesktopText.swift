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
