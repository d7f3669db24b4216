import JSONRPC
import Positioning

/// What may be given as an option's value, and how it is read.
struct ValueKind<Value: Sendable>: Sendable {
  /// How help texts show it, such as `METRES`.
  let placeholder: String
  /// What is expected, in words that follow "expected".
  let expectation: String
  /// The words that it may be, where there are such, for telling the nearest.
  var words: [String] = []
  /// `nil` where the text is no such value.
  let read: @Sendable (String) -> Value?

  /// Why a text is not such a value.
  func refusal(of text: String, option: String) -> UsageError {
    let meant = Spelling.nearest(to: text, among: self.words).map { "; did you mean \"\($0)\"?" } ?? ""
    return UsageError("\(option): invalid value \"\(text)\", expected \(self.expectation)\(meant)")
  }
}

extension ValueKind where Value == String {
  static let path = ValueKind(placeholder: "PATH", expectation: "a path") { $0.isEmpty ? nil : $0 }
}

extension ValueKind where Value == Double {
  static let meters = ValueKind(placeholder: "METRES", expectation: "metres greater than 0, such as 25 or 1.5km") {
    Quantity.meters($0).flatMap { $0 > 0 ? $0 : nil }
  }

  static let distance = ValueKind(placeholder: "METRES", expectation: "metres, such as 25 or 1.5km") {
    Quantity.meters($0)
  }

  static let seconds = ValueKind(placeholder: "SECONDS", expectation: "seconds, such as 30 or 5min") {
    Quantity.seconds($0)
  }

  /// Between two directions, the shorter way around the circle.
  static let turn = ValueKind(placeholder: "DEGREES", expectation: "degrees from 0 to 180, such as 5") { text in
    Quantity.degrees(text).flatMap { $0 <= 180 ? $0 : nil }
  }

  /// What comes again or ends something; the daemon takes no less.
  static let period = ValueKind(placeholder: "SECONDS", expectation: "seconds from 0.1, such as 30 or 5min") {
    Quantity.seconds($0).flatMap { $0 >= 0.1 ? $0 : nil }
  }
}

extension ValueKind where Value == Int {
  static let count = ValueKind(placeholder: "COUNT", expectation: "a whole number from 1") { text in
    Int(text).flatMap { $0 >= 1 ? $0 : nil }
  }
}

extension ValueKind where Value == String {
  /// A name; the daemon checks it.
  static func name(_ placeholder: String) -> ValueKind {
    ValueKind(placeholder: placeholder, expectation: "a name") { $0.isEmpty ? nil : $0 }
  }
}

extension ValueKind where Value == AccuracyDemand {
  static let accuracy = ValueKind(
    placeholder: "LEVEL|METRES",
    expectation: "one of \(AccuracyLevel.words.joined(separator: ", ")), or metres such as 25 or 25m",
    words: AccuracyLevel.words
  ) { text in
    if let level = AccuracyLevel(rawValue: text) { return .level(level) }
    return Quantity.meters(text).flatMap { $0 > 0 ? .meters($0) : nil }
  }
}

extension AccuracyLevel {
  fileprivate static var words: [String] { self.allCases.map(\.rawValue) }
}

extension ValueKind where Value: RawRepresentable<String> & CaseIterable {
  /// One of an enumeration's names.
  static func choice(_ placeholder: String) -> ValueKind {
    let words = Value.allCases.map(\.rawValue)
    return ValueKind(placeholder: placeholder, expectation: "one of \(words.joined(separator: ", "))", words: words) {
      Value(rawValue: $0)
    }
  }
}
