import Printable

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

  /// The same values in another form.
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
