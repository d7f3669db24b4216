package import Positioning

/// What a prompt says, for every agent: the kernel's facts first, then the program's own words, marked as such.
///
/// Nothing is escaped: each agent does that for its own display.
package struct PromptText: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package let label: String
    package let text: String
  }

  /// What a yes grants: a stored decision applies to all programs of the user.
  package let question: String
  package let facts: [Row]
  /// The program's own statements; empty: it makes none.
  package let ownWords: [Row]

  /// Stands before the program's own statements.
  package static let ownWordsHeading = "The program's own words, which may be false:"

  package init(_ prompt: PermissionPrompt) {
    let principal = prompt.principal
    self.question =
      "Allow programs run by \(principal.user ?? "user \(principal.uid)") to know where this device is?"
    var facts = [
      Row(label: "user", text: Self.user(principal.user, uid: principal.uid)),
      Row(label: "unit", text: principal.unit.name ?? "unknown, or not a system service"),
    ]
    if let pid = principal.pid { facts.append(Row(label: "process", text: "\(pid)")) }
    facts.append(Row(label: "asks for", text: "the position \(prompt.level.text), \(prompt.precision.text)"))
    self.facts = facts
    self.ownWords = [("name", principal.name), ("purpose", principal.purpose)].compactMap { label, text in
      text.map { Row(label: label, text: $0) }
    }
  }

  /// The user's name and number.
  package static func user(_ name: String?, uid: UInt32) -> String {
    name.map { "\($0) (\(uid))" } ?? "\(uid), without a name"
  }
}

extension Precision {
  package var text: String {
    switch self {
    case .precise: "precise"
    case .reduced: "reduced to a few kilometres"
    }
  }
}

extension AuthorizationLevel {
  package var text: String {
    switch self {
    case .whenInUse: "while connected"
    case .always: "always, even when not connected"
    }
  }
}
