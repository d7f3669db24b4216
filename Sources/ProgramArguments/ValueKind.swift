import Printable

/// What may be given as an option's value, and how it is read.
package struct ValueKind<Value: Sendable>: Sendable {
  /// How help texts show it, such as `METRES`.
  package let placeholder: String
  /// What is expected, in words that follow "expected".
  private let expectation: String
  /// The words that it may be, where there are such, for telling the nearest.
  private let words: [String]
  private let read: @Sendable (String) throws(UsageError) -> Value?

  /// - Parameter read: gives `nil` where the text is no such value, and throws where there is more to say about that.
  package init(
    placeholder: String, expectation: String, words: [String] = [],
    read: @escaping @Sendable (String) throws(UsageError) -> Value?
  ) {
    self.placeholder = placeholder
    self.expectation = expectation
    self.words = words
    self.read = read
  }

  /// - Parameter option: what the value is given for, as messages name it.
  package func value(of text: String, option: String) throws(UsageError) -> Value {
    do throws(UsageError) {
      if let value = try self.read(text) { return value }
    } catch {
      throw UsageError("\(option): \(error.message)")
    }
    let meant = Spelling.nearest(to: text, among: self.words).map { "; did you mean \"\($0)\"?" } ?? ""
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
    let words = Value.allCases.map(\.rawValue)
    return ValueKind(placeholder: placeholder, expectation: "one of \(words.joined(separator: ", "))", words: words) {
      Value(rawValue: $0)
    }
  }
}
