/// An option of a command: it drives reading, the help text, and the manual page's test.
struct Option<Value: Sendable>: CommandOption {
  /// Without its dashes.
  let name: String
  /// A single letter that means the same.
  var letter: Character?
  /// `nil` for one that is there or not.
  let kind: ValueKind<Value>?
  /// What it does, as the help text has it.
  let help: String

  /// An option with a value.
  init(_ name: String, letter: Character? = nil, _ kind: ValueKind<Value>, _ help: String) {
    self.name = name
    self.letter = letter
    self.kind = kind
    self.help = help
  }

  var placeholder: String? { self.kind?.placeholder }

  func read(_ text: String) throws(UsageError) -> any Sendable {
    guard let kind = self.kind else { throw UsageError("--\(self.name) takes no value, but \"\(text)\" was given") }
    guard let value = kind.read(text) else { throw kind.refusal(of: text, option: "--\(self.name)") }
    return value
  }
}

extension Option where Value == Bool {
  /// An option that is there or not.
  init(flag name: String, letter: Character? = nil, _ help: String) {
    self.name = name
    self.letter = letter
    self.kind = nil
    self.help = help
  }
}

/// An option, whatever its value is.
protocol CommandOption: Sendable {
  var name: String { get }
  var letter: Character? { get }
  /// `nil` for one that takes no value.
  var placeholder: String? { get }
  var help: String { get }

  func read(_ text: String) throws(UsageError) -> any Sendable
}

extension CommandOption {
  /// As a help text shows it.
  var form: String {
    let letter = self.letter.map { "-\($0), " } ?? ""
    return letter + "--\(self.name)" + (self.placeholder.map { " \($0)" } ?? "")
  }
}
