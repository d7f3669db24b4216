package import Positioning
package import ReceiverPorts

/// A recording of gpsd's output, as `gpspipe -w` writes it, replayed in virtual time through the same splitter, decoder
/// and session as a live connection.
///
/// A recording that began late lacks gpsd's banner or its answer to the watch; these are added in front. Nothing waits:
/// a day of reports takes as long as reading it.
package struct RecordedSession {
  /// When the lines arrive.
  package enum Pacing: Hashable, Sendable {
    /// One after another, at this interval.
    case every(Duration)
    /// By the receiver's time. If it goes back or jumps by more than a minute, one second passes.
    case receiverTime
    /// By the stamps that `gpspipe -t` and `-u` put before each line. A line without a stamp follows at once.
    case stamps
  }

  /// An event that the recording caused, and its time.
  package struct TimedEvent: Hashable, Sendable {
    package var moment: Instant
    package var event: ReceiverEvent
  }

  /// A larger step of the receiver's time counts as a jump.
  private static let leap: Duration = .seconds(60)

  private let decoder = GpsdDecoder()
  private var session: GpsdSession
  private var events: [TimedEvent] = []
  private var now: Instant
  private var deadline: Instant?
  private var isConnected = false
  private let settings: GpsdSettings

  private init(settings: GpsdSettings, silentAfter: Duration, start: Instant) {
    self.settings = settings
    self.session = GpsdSession(settings: settings, silence: silentAfter, jitterSeed: 0)
    self.now = start
  }

  /// Plays a recording.
  ///
  /// - Parameters:
  ///   - recording: the bytes of the file, or of the connection.
  ///   - silentAfter: how long no position may arrive until the receiver counts as silent.
  ///   - start: the moment of its first line.
  ///   - silence: how long nothing arrives after the last line; more than a few seconds shows how silence is reported.
  package static func replay(
    _ recording: [UInt8], settings: GpsdSettings = GpsdSettings(), silentAfter: Duration, start: Instant,
    pacing: Pacing, silence: Duration = .zero
  ) -> [TimedEvent] {
    var splitter = LineSplitter()
    let lines = splitter.lines(completedBy: recording + [UInt8(ascii: "\n")]).map(StampedLine.init)
    var replay = RecordedSession(settings: settings, silentAfter: silentAfter, start: start)
    replay.perform(replay.session.started(now: start))
    replay.complete(lines.map(\.text))
    var clock = ReplayClock(pacing: pacing, leap: leap)
    for line in lines {
      let step = clock.step(to: line, message: replay.decoder.decode(line.text, arrival: replay.now))
      replay.pass(until: replay.now + step)
      replay.perform(replay.session.received(replay.decoder.decode(line.text, arrival: replay.now), now: replay.now))
    }
    replay.pass(until: replay.now + silence)
    return replay.events
  }

  /// Adds the messages that gpsd sent before the recording began.
  private mutating func complete(_ lines: [[UInt8]]) {
    var hasVersion = false
    var hasWatch = false
    search: for (index, line) in lines.enumerated() {
      switch self.decoder.decode(line, arrival: self.now) {
      case .version: hasVersion = hasVersion || index == 0
      case .watch: hasWatch = true
      case .position, .sky, .attitude, .errorEstimate, .reception, .assistance: break search
      case .devices, .device, .deviceGone, .error, .ignored, .invalid, .skewed: break
      }
    }
    if !hasVersion || !hasWatch {
      self.perform(self.introduction(withWatch: !hasWatch))
    }
  }

  private mutating func introduction(withWatch: Bool) -> [GpsdSession.Action] {
    let banner = self.session.received(.version(release: "recorded", major: 3, minor: 14), now: self.now)
    guard withWatch else { return banner }
    return banner + self.session.received(.watch(device: self.settings.device), now: self.now)
  }

  /// Advances the time, and handles the session's deadlines on the way.
  private mutating func pass(until moment: Instant) {
    while let deadline = self.deadline, deadline <= moment {
      self.now = max(self.now, deadline)
      self.deadline = nil
      self.perform(self.session.deadlineReached(now: self.now))
    }
    self.now = max(self.now, moment)
  }

  private mutating func perform(_ actions: [GpsdSession.Action]) {
    var queue = actions[...]
    while let action = queue.popFirst() {
      switch action {
      case .connect:
        // A recording can always be connected to again; then the lost state is repeated, without the first action.
        queue += self.session.connected(now: self.now)
        if self.isConnected {
          queue += self.introduction(withWatch: true)
        }
        self.isConnected = true
      case .arm(let deadline): self.deadline = deadline
      case .disarm: self.deadline = nil
      case .emit(let event): self.events.append(TimedEvent(moment: self.now, event: event))
      // A recording does not answer, but it does not hang either.
      case .send: queue += self.session.received(.ignored, now: self.now)
      case .close, .log, .wrote, .received, .assistRefused: break
      }
    }
  }
}

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
    case .version, .devices, .device, .deviceGone, .watch, .sky, .errorEstimate, .attitude, .reception, .assistance,
      .error,
      .ignored, .invalid, .skewed:
      nil
    }
  }
}
