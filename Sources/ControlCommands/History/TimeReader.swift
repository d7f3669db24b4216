import Glibc
import Positioning
import ProgramArguments

/// The clock on a person's wall: the local time of a moment, and the moment of a local time.
struct LocalClock: Sendable {
  let calendar: @Sendable (Timestamp) -> CalendarTime
  /// `nil` if there is no such date or time of day.
  let timestamp: @Sendable (CalendarTime) -> Timestamp?

  /// That of this process, by TZ or /etc/localtime.
  static let system = LocalClock(
    calendar: { time in
      var seconds = time_t(time.milliseconds.flooredQuotient(by: 1000))
      var local = unsafe tm()
      guard unsafe localtime_r(&seconds, &local) != nil else { return time.calendar }
      return unsafe CalendarTime(
        year: Int(local.tm_year) + 1900, month: Int(local.tm_mon) + 1, day: Int(local.tm_mday),
        hour: Int(local.tm_hour), minute: Int(local.tm_min), second: Int(local.tm_sec),
        millisecond: time.calendar.millisecond)
    },
    timestamp: { calendar in
      // The same calendar without an offset decides whether there is such a date.
      guard Timestamp(calendar) != nil else { return nil }
      var local = unsafe tm()
      unsafe local.tm_year = Int32(calendar.year - 1900)
      unsafe local.tm_mon = Int32(calendar.month - 1)
      unsafe local.tm_mday = Int32(calendar.day)
      unsafe local.tm_hour = Int32(calendar.hour)
      unsafe local.tm_min = Int32(calendar.minute)
      unsafe local.tm_sec = Int32(calendar.second)
      unsafe local.tm_isdst = -1
      let seconds = unsafe mktime(&local)
      return Timestamp(milliseconds: Int64(seconds) * 1000 + Int64(calendar.millisecond))
    })

  /// A clock that is so far ahead of UTC, for tests.
  static func ahead(of offset: Duration) -> LocalClock {
    LocalClock(
      calendar: { ($0 + offset).calendar }, timestamp: { Timestamp($0).map { $0 + (.zero - offset) } })
  }

  /// Such as `2026-01-31 14:00:03`.
  func text(_ time: Timestamp) -> String { "\(self.date(time)) \(self.timeOfDay(time))" }

  /// Such as `2026-01-31`.
  func date(_ time: Timestamp) -> String {
    let calendar = self.calendar(time)
    return "\(Self.digits(calendar.year, 4))-\(Self.digits(calendar.month))-\(Self.digits(calendar.day))"
  }

  /// Such as `14:00:03`, or `14:00`.
  func timeOfDay(_ time: Timestamp, withSeconds: Bool = true) -> String {
    let calendar = self.calendar(time)
    let minutes = "\(Self.digits(calendar.hour)):\(Self.digits(calendar.minute))"
    return withSeconds ? "\(minutes):\(Self.digits(calendar.second))" : minutes
  }

  private static func digits(_ number: Int, _ count: Int = 2) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }

  /// The day of a moment, from its midnight up to the millisecond before the next one; a day back is -1.
  func day(of time: Timestamp, plus days: Int = 0) -> ClosedRange<Timestamp>? {
    var noon = self.calendar(time)
    (noon.hour, noon.minute, noon.second, noon.millisecond) = (12, 0, 0, 0)
    guard let middle = self.timestamp(noon) else { return nil }
    // Twelve hours from noon is never more than one day away, whatever the clock does at night.
    var start = self.calendar(middle + .seconds(86_400 * days))
    var next = self.calendar(middle + .seconds(86_400 * (days + 1)))
    (start.hour, start.minute, start.second, next.hour, next.minute, next.second) = (0, 0, 0, 0, 0, 0)
    guard let from = self.timestamp(start), let to = self.timestamp(next) else { return nil }
    return from...Timestamp(milliseconds: to.milliseconds - 1)
  }
}

/// Reads times as people write them, in local time: `14:00`, `yesterday 9:30`, `monday`, `2026-01-31 14:00`, `2h ago`, or the
/// protocol's `2026-01-31T13:00:00Z`.
struct TimeReader {
  let clock: LocalClock
  let now: Timestamp

  static let examples = "14:00, \"yesterday 9:30\", \"monday 18:00\", 2026-01-31, \"2026-01-31 14:00\" or 2h ago"

  private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

  /// A moment, or the whole of a day if no time of day is given; `nil`: the text is neither.
  func range(_ text: String) -> ClosedRange<Timestamp>? {
    let text = text.lowercased()
    if text == "now" { return self.now...self.now }
    if let time = Timestamp(text.uppercased()) { return time...time }
    if let ago = self.ago(text) { return ago...ago }
    let words = text.split(whereSeparator: { $0 == " " || $0 == "t" && text.first?.isNumber == true }).map(String.init)
    switch words.count {
    case 1:
      if let day = self.day(words[0]) { return day }
      // The last such time of day.
      guard let today = self.clock.day(of: self.now), let time = self.time(words[0], on: today) else { return nil }
      if time <= self.now { return time...time }
      return self.clock.day(of: self.now, plus: -1).flatMap { self.time(words[0], on: $0) }.map { $0...$0 }
    case 2: return self.day(words[0]).flatMap { self.time(words[1], on: $0) }.map { $0...$0 }
    default: return nil
    }
  }

  /// The moment, or noon of a day, of which most is near.
  func moment(_ text: String) throws(UsageError) -> Timestamp {
    guard let range = self.range(text) else { throw UsageError(Self.message(text)) }
    return range.lowerBound == range.upperBound
      ? range.lowerBound
      : Timestamp(milliseconds: (range.lowerBound.milliseconds + range.upperBound.milliseconds) / 2)
  }

  static func message(_ text: String) -> String { "\"\(text)\" is no time; write \(self.examples)" }

  /// Such as `2h ago` or `30min ago`.
  private func ago(_ text: String) -> Timestamp? {
    guard text.hasSuffix("ago") else { return nil }
    let span = text.dropLast(3).filter { $0 != " " }
    return Quantity.seconds(String(span)).map { self.now + .bounded(seconds: -$0) }
  }

  private func day(_ word: String) -> ClosedRange<Timestamp>? {
    switch word {
    case "today": return self.clock.day(of: self.now)
    case "yesterday": return self.clock.day(of: self.now, plus: -1)
    default: break
    }
    if let weekday = Self.weekdays.firstIndex(where: { $0 == word || $0.prefix(3) == word }) {
      // 1970-01-01 was a Thursday.
      let today = self.clock.calendar(self.now)
      guard
        let noon = Timestamp(
          CalendarTime(
            year: today.year, month: today.month, day: today.day, hour: 12, minute: 0, second: 0, millisecond: 0))
      else { return nil }
      let number = Int(noon.milliseconds.flooredQuotient(by: 86_400_000) + 4)
      let back = ((number % 7 - weekday) % 7 + 6) % 7 + 1
      return self.clock.day(of: self.now, plus: -back)
    }
    let parts = word.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
      let noon = self.clock.timestamp(
        CalendarTime(year: year, month: month, day: day, hour: 12, minute: 0, second: 0, millisecond: 0))
    else { return nil }
    return self.clock.day(of: noon)
  }

  /// Such as `9:30` or `14:00:05`.
  private func time(_ word: String, on day: ClosedRange<Timestamp>) -> Timestamp? {
    let parts = word.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
      let second = parts.count == 3 ? parts[2] : 0
    else { return nil }
    // Some hours after midnight, which some days do not have.
    var calendar = self.clock.calendar(day.lowerBound + .seconds(6 * 3600))
    (calendar.hour, calendar.minute, calendar.second, calendar.millisecond) = (hour, minute, second, 0)
    return self.clock.timestamp(calendar)
  }
}
