import Positioning
import ReceiverPorts

/// A recorded line with its stamp by `gpspipe`.
struct StampedLine {
  var text: [UInt8]
  /// Seconds since the year 0 began; only differences are used.
  var stamp: Double?

  /// Splits `2026-08-20 12:34:56.123456: {...}`; a line without a stamp is all text.
  init(_ line: [UInt8]) {
    self.text = line
    guard line.first != UInt8(ascii: "{"), let brace = line.firstIndex(of: UInt8(ascii: "{")) else { return }
    let stamp = String(decoding: line[..<brace], as: UTF8.self)
    let words = stamp.split(separator: " ")
    guard words.count == 2, words[1].hasSuffix(":") else { return }
    let date = words[0].split(separator: "-").compactMap { Int($0) }
    let time = words[1].dropLast().split(separator: ":").compactMap { Double($0) }
    guard date.count == 3, time.count == 3 else { return }
    self.text = Array(line[brace...])
    let days = Double(Self.days(year: date[0], month: date[1], day: date[2]))
    self.stamp = ((days * 24 + time[0]) * 60 + time[1]) * 60 + time[2]
  }

  /// Days of the Gregorian calendar. Years begin in March here, so that the leap day is the last day.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let month = (month + 9) % 12
    return 365 * year + year / 4 - year / 100 + year / 400 + (month * 306 + 5) / 10 + day
  }
}

/// The time that passes before each line of a recording.
struct ReplayClock {
  let pacing: RecordedSession.Pacing
  let leap: Duration
  private var last: Double?

  init(pacing: RecordedSession.Pacing, leap: Duration) {
    self.pacing = pacing
    self.leap = leap
  }

  mutating func step(to line: StampedLine, message: GpsdMessage) -> Duration {
    switch self.pacing {
    case .every(let step): step
    case .receiverTime: self.step(to: message.receiverTime)
    case .stamps: self.step(to: line.stamp)
    }
  }

  private mutating func step(to time: Double?) -> Duration {
    guard let time else { return .zero }
    defer { self.last = time }
    guard let last else { return .zero }
    let step = Duration.seconds(time - last)
    return step < .zero || (self.pacing == .receiverTime && step > self.leap) ? .seconds(1) : step
  }
}

extension GpsdMessage {
  /// The receiver's time in seconds since 1970, if the report has one.
  fileprivate var receiverTime: Double? {
    switch self {
    case .position(let report): report.time?.seconds
    case .version, .devices, .device, .deviceGone, .watch, .sky, .errorEstimate, .attitude, .error, .ignored, .invalid,
      .skewed:
      nil
    }
  }
}
