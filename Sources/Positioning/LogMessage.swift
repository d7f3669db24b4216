/// The text of a log message, and the values in it that the journal also has as fields.
///
/// It is written as a string; a value becomes a field where it is interpolated with the field:
/// `"\(unit, .unit) was started"`.
package struct LogMessage: Hashable, Sendable, ExpressibleByStringInterpolation {
  package private(set) var text: String
  package private(set) var fields: [LogField: String]

  package init(stringLiteral text: String) {
    self.text = text
    self.fields = [:]
  }

  package init(stringInterpolation parts: StringInterpolation) {
    self.text = String(stringInterpolation: parts.text)
    self.fields = parts.fields
  }

  package static func + (left: LogMessage, right: LogMessage) -> LogMessage {
    var sum = left
    sum.text += right.text
    sum.fields.merge(right.fields) { first, _ in first }
    return sum
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text: DefaultStringInterpolation
    fileprivate var fields: [LogField: String] = [:]

    package init(literalCapacity: Int, interpolationCount: Int) {
      self.text = DefaultStringInterpolation(literalCapacity: literalCapacity, interpolationCount: interpolationCount)
    }

    package mutating func appendLiteral(_ literal: String) { self.text.appendLiteral(literal) }

    package mutating func appendInterpolation(_ value: some Any) { self.text.appendInterpolation(value) }

    /// A value that is also a field.
    package mutating func appendInterpolation(_ value: some Any, _ field: LogField) {
      self.appendInterpolation(value, field, value)
    }

    /// Words for a value that is a field in another form.
    package mutating func appendInterpolation(_ words: some Any, _ field: LogField, _ value: some Any) {
      self.text.appendInterpolation(words)
      self.fields[field] = "\(value)"
    }
  }
}
