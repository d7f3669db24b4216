import Printable

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
  package static let version = Option(flag: "version", letter: "V", "print the version")
}

/// The accepted values of an option, and how they are read.
package struct ValueKind<Value: Sendable>: Sendable {
  /// Its form in help texts, such as `METRES`.
  package let placeholder: String
  /// The accepted values, as the end of a sentence that begins with "expected".
  private let expectation: String
  /// The names among the accepted values, for suggestions and completions.
  let names: [String]
  private let read: @Sendable (String) throws(UsageError) -> Value?

  /// - Parameter read: Returns `nil` if the text is no such value, and throws if there is more to say about it.
  package init(
    placeholder: String, expectation: String, names: [String] = [],
    read: @escaping @Sendable (String) throws(UsageError) -> Value?
  ) {
    self.placeholder = placeholder
    self.expectation = expectation
    self.names = names
    self.read = read
  }

  /// A kind with the same texts, whose values are converted.
  package func map<Other: Sendable>(_ transform: @escaping @Sendable (Value) -> Other) -> ValueKind<Other> {
    let read = self.read
    return ValueKind<Other>(placeholder: self.placeholder, expectation: self.expectation, names: self.names) {
      (text: String) throws(UsageError) -> Other? in try read(text).map(transform)
    }
  }

  /// - Parameter option: The option's name, for messages.
  package func value(of text: String, option: String) throws(UsageError) -> Value {
    do throws(UsageError) {
      if let value = try self.read(text) { return value }
    } catch {
      throw UsageError("\(option): \(error.message)")
    }
    let meant = Spelling.nearest(to: text, among: self.names).map { "; did you mean \"\($0)\"?" } ?? ""
    throw UsageError("\(option): invalid value \"\(text)\", expected \(self.expectation)\(meant)")
  }
}

extension ValueKind where Value == String {
  package static let path = ValueKind.name("PATH", "a path")

  /// Any text that is not empty; the daemon checks it.
  package static func name(_ placeholder: String, _ expectation: String = "a name") -> ValueKind {
    ValueKind(placeholder: placeholder, expectation: expectation) { $0.isEmpty ? nil : $0 }
  }
}

extension ValueKind where Value: RawRepresentable<String> & CaseIterable {
  /// One of an enumeration's names.
  package static func choice(_ placeholder: String) -> ValueKind {
    let names = Value.allCases.map(\.rawValue)
    return ValueKind(placeholder: placeholder, expectation: "one of \(names.joined(separator: ", "))", names: names) {
      Value(rawValue: $0)
    }
  }
}

/// The error of a command line: the option, the value, and what was expected.
package struct UsageError: Error, Hashable, CustomStringConvertible {
  package var message: String

  package init(_ message: String) { self.message = message }

  /// This error with the name of the command whose line it is. Only the code that has read that name adds it, so that every
  /// message has it once.
  ///
  /// - Parameter command: Empty if no command was named.
  package func of(_ command: String) -> UsageError {
    command.isEmpty ? self : UsageError("\(command): \(self.message)")
  }

  package var description: String { self.message }
}
