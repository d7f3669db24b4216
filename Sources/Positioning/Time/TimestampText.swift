/// A moment as text: see `Timestamp.description`.
///
/// Its bytes are in place rather than in an array, because each fix on the wire has such a text.
package struct TimestampText: CustomStringConvertible, Sendable {
  private var characters = InlineArray<25, UInt8>(repeating: 0)
  private var count = 0

  init(_ time: CalendarTime) {
    if time.year < 0 { self.append("-") }
    self.append(time.year, digits: 4, then: "-")
    self.append(time.month, digits: 2, then: "-")
    self.append(time.day, digits: 2, then: "T")
    self.append(time.hour, digits: 2, then: ":")
    self.append(time.minute, digits: 2, then: ":")
    self.append(time.second, digits: 2, then: ".")
    self.append(time.millisecond, digits: 3, then: "Z")
  }

  package var description: String {
    String(decoding: (0..<self.count).map { self.characters[$0] }, as: UTF8.self)
  }

  /// Passes its bytes, which are ASCII.
  package func withBytes(_ use: (Span<UInt8>) -> Void) { use(self.characters.span.extracting(first: self.count)) }

  /// Appends a number with leading zeros, and the character after it.
  private mutating func append(_ number: Int, digits: Int, then mark: Unicode.Scalar) {
    var (rest, place) = (UInt32(truncatingIfNeeded: number.magnitude), self.count + digits)
    while place > self.count {
      place -= 1
      self.characters[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    self.count += digits
    self.append(mark)
  }

  private mutating func append(_ mark: Unicode.Scalar) {
    self.characters[self.count] = UInt8(ascii: mark)
    self.count += 1
  }
}
