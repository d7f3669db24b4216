/// An option of a command: it drives reading, the help text, and the manual page's test.
package struct Option<Value: Sendable>: CommandOption {
  /// Without its dashes.
  package let name: String
  /// A single letter that means the same.
  package let letter: Character?
  /// `nil` for one that takes no value.
  let kind: ValueKind<Value>?
  /// What it is where it is given without a value; `nil` where it needs one.
  private let bare: Value?
  /// What it does, as the help text has it.
  package let help: String

  /// An option with a value.
  ///
  /// - Parameter bare: what it is without one; a value has to be joined to the name then, by `=`.
  package init(
    _ name: String, letter: Character? = nil, _ kind: ValueKind<Value>, bare: Value? = nil, _ help: String
  ) {
    self.name = name
    self.letter = letter
    self.kind = kind
    self.bare = bare
    self.help = help
  }

  package var placeholder: String? { self.kind?.placeholder }
  package var bareValue: (any Sendable)? { self.bare }

  package func read(_ text: String) throws(UsageError) -> any Sendable {
    guard let kind = self.kind else { throw UsageError("--\(self.name) takes no value, but \"\(text)\" was given") }
    return try kind.value(of: text, option: "--\(self.name)")
  }
}

extension Option where Value == Bool {
  /// An option that is there or not.
  package init(flag name: String, letter: Character? = nil, _ help: String) {
    self.name = name
    self.letter = letter
    self.kind = nil
    self.bare = true
    self.help = help
  }
}

/// An option, whatever its value is.
package protocol CommandOption: Sendable {
  var name: String { get }
  var letter: Character? { get }
  /// `nil` for one that takes no value.
  var placeholder: String? { get }
  /// What it is where it is given without a value; `nil` where it needs one.
  var bareValue: (any Sendable)? { get }
  var help: String { get }

  func read(_ text: String) throws(UsageError) -> any Sendable
}

extension CommandOption {
  /// As a help text shows it.
  package var form: String {
    let letter = self.letter.map { "-\($0), " } ?? ""
    guard let placeholder = self.placeholder else { return "\(letter)--\(self.name)" }
    return letter + "--\(self.name)" + (self.bareValue == nil ? " \(placeholder)" : "[=\(placeholder)]")
  }
}

/// The options that every program has.
package enum StandardOptions {
  package static let help = Option(flag: "help", letter: "h", "show help with examples")
  package static let version = Option(flag: "version", "print the version")
}
