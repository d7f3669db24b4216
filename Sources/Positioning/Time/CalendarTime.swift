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
