/// ISO 8601, UTC.
extension Timestamp: LosslessStringConvertible {
  /// With milliseconds, such as `2026-01-31T12:00:00.000Z`.
  public var description: String { self.text.description }

  package var text: TimestampText { TimestampText(self.calendar) }

  /// Reads `2026-01-31T12:00:00Z`, with or without a fraction of the second, or with an offset such as `+01:00` in
  /// place of the Z; `nil` for any other text.
  public init?(_ text: String) {
    var reader = DigitReader(rest: text.utf8[...])
    guard let year = reader.number(digits: 4, then: "-"), let month = reader.number(digits: 2, then: "-"),
      let day = reader.number(digits: 2, then: "T"), let hour = reader.number(digits: 2, then: ":"),
      let minute = reader.number(digits: 2, then: ":"), let second = reader.number(digits: 2),
      let fraction = reader.fraction(), let offset = reader.offset(), reader.rest.isEmpty,
      let whole = Timestamp(
        CalendarTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second, millisecond: 0))
    else { return nil }
    self = whole + (fraction - offset)
  }
}

/// Takes numbers from the beginning of a text.
private struct DigitReader {
  var rest: Substring.UTF8View

  mutating func takes(_ character: Unicode.Scalar) -> Bool {
    guard self.rest.first == UInt8(ascii: character) else { return false }
    self.rest = self.rest.dropFirst()
    return true
  }

  mutating func digit() -> Int? {
    guard let byte = self.rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
    self.rest = self.rest.dropFirst()
    return Int(byte - UInt8(ascii: "0"))
  }

  mutating func number(digits: Int) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let digit = self.digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  mutating func number(digits: Int, then mark: Unicode.Scalar) -> Int? {
    guard let number = self.number(digits: digits), self.takes(mark) else { return nil }
    return number
  }

  /// What follows a decimal point, and zero where there is none. Digits after the ninth do not count.
  mutating func fraction() -> Duration? {
    guard self.takes(".") else { return .zero }
    guard var nanoseconds = self.digit() else { return nil }
    var count = 1
    while let digit = self.digit() {
      guard count < 9 else { continue }
      nanoseconds = nanoseconds * 10 + digit
      count += 1
    }
    for _ in count..<9 { nanoseconds *= 10 }
    return .nanoseconds(nanoseconds)
  }

  /// By how much the clock that the text shows is ahead of UTC.
  mutating func offset() -> Duration? {
    if self.takes("Z") { return .zero }
    let isAhead = self.takes("+")
    guard isAhead || self.takes("-"), let hours = self.number(digits: 2, then: ":"),
      let minutes = self.number(digits: 2)
    else { return nil }
    return .seconds((isAhead ? 60 : -60) * (hours * 60 + minutes))
  }
}
