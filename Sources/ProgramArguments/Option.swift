/// An option of a command: used for parsing, the help text, and the test of the manual page.
package struct Option<Value: Sendable>: CommandOption {
  /// Without its dashes.
  package let name: String
  /// A single letter with the same meaning.
  package let letter: Character?
  /// `nil` for a flag.
  let kind: ValueKind<Value>?
  /// Its value if it is given without one; `nil` if it needs a value.
  private let bare: Value?
  /// What it does, for the help text.
  package let help: String

  /// An option with a value.
  ///
  /// - Parameter bare: The value if none is given; a value must then be joined to the name by `=`.
  package init(
    _ name: String, letter: Character? = nil, _ kind: ValueKind<Value>, bare: Value? = nil, _ help: String
  ) {
    self.name = name
    self.letter = letter
    self.kind = kind
    self.bare = bare
    self.help = help
  }

  /// A flag, which stands for a value.
  package init(_ name: String, letter: Character? = nil, flag value: Value, _ help: String) {
    self.name = name
    self.letter = letter
    self.kind = nil
    self.bare = value
    self.help = help
  }

  package var placeholder: String? { self.kind?.placeholder }
  package var choices: [String] { self.kind?.names ?? [] }
  package var bareValue: (any Sendable)? { self.bare }

  package func read(_ text: String) throws(UsageError) -> any Sendable {
    guard let kind = self.kind else { throw UsageError("--\(self.name) takes no value, but \"\(text)\" was given") }
    return try kind.value(of: text, option: "--\(self.name)")
  }
}

extension Option where Value == Bool {
  /// A flag, which has no value.
  package init(flag name: String, letter: Character? = nil, _ help: String) {
    self.init(name, letter: letter, flag: true, help)
  }
}

/// An option with any type of value.
package protocol CommandOption: Sendable {
  var name: String { get }
  var letter: Character? { get }
  /// `nil` for a flag.
  var placeholder: String? { get }
  /// The names among its values, for completions.
  var choices: [String] { get }
  /// Its value if it is given without one; `nil` if it needs a value.
  var bareValue: (any Sendable)? { get }
  var help: String { get }

  func read(_ text: String) throws(UsageError) -> any Sendable
}

extension CommandOption {
  /// Its form in a help text.
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
