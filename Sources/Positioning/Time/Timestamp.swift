/// A moment of Coordinated Universal Time in whole milliseconds, the resolution of receivers, of gpsd and of the wire.
///
/// Leap seconds are not counted, as in POSIX time. It is for people and for records: ages and deadlines are measured
/// between values of `Instant`.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var milliseconds: Int64

  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// - Parameter seconds: Since 1970, rounded to the nearest millisecond. It must be finite.
  public init(seconds: Double) {
    self.init(milliseconds: Int64((seconds * 1000).rounded()))
  }

  /// - Parameter since1970: Rounded to the nearest millisecond.
  public init(since1970: Duration) {
    self.init(milliseconds: since1970.nearestMilliseconds)
  }

  /// The wall clock's time of a moment.
  ///
  /// - Parameters:
  ///   - now: The moment at which the wall clock was read.
  ///   - since1970: What the wall clock showed then.
  public init(of instant: Instant, now: Instant, since1970: Duration) {
    self.init(since1970: since1970 - (now - instant))
  }

  /// 1970-01-01T00:00:00Z.
  public static let epoch = Timestamp(milliseconds: 0)

  /// Seconds since 1970.
  public var seconds: Double { Double(self.milliseconds) / 1000 }

  /// The beginning of its second.
  public var wholeSeconds: Timestamp { Timestamp(milliseconds: self.milliseconds.flooredQuotient(by: 1000) * 1000) }

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  public static func + (time: Timestamp, duration: Duration) -> Timestamp {
    Timestamp(milliseconds: time.milliseconds + duration.nearestMilliseconds)
  }

  public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
    .milliseconds(later.milliseconds - earlier.milliseconds)
  }
}

extension Duration {
  /// Rounded, half away from zero, and bounded to some hundred million years.
  package var nearestMilliseconds: Int64 {
    let half: Int128 = self < .zero ? -500_000_000_000_000 : 500_000_000_000_000
    let bound = (1 << 52) * 1000 as Int128
    return Int64(max(-bound, min((self.attoseconds + half) / 1_000_000_000_000_000, bound)))
  }

  /// Cut towards zero.
  package var wholeMilliseconds: Int64 {
    let (seconds, attoseconds) = self.components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}

/// A date of the Gregorian calendar and a time of day, UTC.
package struct CalendarTime: Hashable, Sendable {
  package var year: Int
  /// 1 to 12.
  package var month: Int
  /// 1 to 31.
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int
  package var millisecond: Int

  package init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, millisecond: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
    self.millisecond = millisecond
  }
}

extension Timestamp {
  private static let millisecondsOfDay: Int64 = 86_400_000

  /// The moment in the Gregorian calendar.
  package var calendar: CalendarTime {
    let day = self.milliseconds.flooredQuotient(by: Self.millisecondsOfDay)
    let rest = Int(self.milliseconds - day * Self.millisecondsOfDay)
    let date = Self.civil(day: day)
    return CalendarTime(
      year: date.year, month: date.month, day: date.day, hour: rest / 3_600_000, minute: rest / 60_000 % 60,
      second: rest / 1000 % 60, millisecond: rest % 1000)
  }

  /// The moment that a calendar shows; `nil` if there is no such date or time of day.
  package init?(_ calendar: CalendarTime) {
    guard (1...12).contains(calendar.month), (1...31).contains(calendar.day), (0...23).contains(calendar.hour),
      (0...59).contains(calendar.minute), (0...60).contains(calendar.second), (0...999).contains(calendar.millisecond),
      (0...9999).contains(calendar.year)
    else { return nil }
    let day = Self.day(year: calendar.year, month: calendar.month, day: calendar.day)
    guard Self.civil(day: day) == (calendar.year, calendar.month, calendar.day) else { return nil }
    let seconds = Int64(calendar.hour * 3600 + calendar.minute * 60 + calendar.second)
    self.init(milliseconds: day * Self.millisecondsOfDay + seconds * 1000 + Int64(calendar.millisecond))
  }

  /// Year, month and day of a day counted from 1970-01-01. Years are counted from March, so that the leap day is last.
  private static func civil(day: Int64) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = shifted.flooredQuotient(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (Int(year), Int(month), Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1))
  }

  private static func day(year: Int, month: Int, day: Int) -> Int64 {
    let shiftedYear = Int64(month <= 2 ? year - 1 : year)
    let era = shiftedYear.flooredQuotient(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * Int64(month > 2 ? month - 3 : month + 9) + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

extension Int64 {
  /// Division that rounds towards minus infinity, so that moments before 1970 fall on the right day.
  package func flooredQuotient(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = self.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

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
