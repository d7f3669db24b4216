package import Positioning

/// Sorts one receiver's reports into epochs, and guards against errors of its clock.
///
/// A report with the current epoch's time belongs to that epoch; so does one without a time that arrives within 40 % of
/// the receiver's cycle. A time at or before the current one is a duplicate, until three epochs in a row confirm that
/// the receiver stepped back. A time far ahead of the arrivals is no time until three epochs in a row confirm it. No guard
/// can block a receiver for ever: a receiver whose clock stands still while other content goes on is treated as one
/// without times, and one whose clock runs backwards or at random is believed again after ten cycles. A report that is the
/// same as an earlier one in everything, its time included, is a repetition: so does a receiver report that hangs, and it
/// never becomes an epoch.
///
/// Some receivers give one epoch two times, such as whole seconds in GGA and a fraction in RMC. The two steps differ, and
/// either such reports arrive together and the steps are one cycle, or they give one place to the digit while the device
/// moves: a slow line spreads them evenly.
package struct EpochSorter: Hashable, Sendable {
  package enum Placement: Hashable, Sendable {
    /// Belongs to the current epoch.
    case current
    /// Begins the next epoch.
    case next
    /// An old time that is not confirmed yet.
    case duplicate
    /// A report that equals an earlier one in everything, and does not belong to that one's burst.
    case repetition
  }

  /// Used until the receiver's cycle is measured.
  package static let assumedCycle: Duration = .seconds(1)
  static let confirmations = 3
  /// A longer gap is not a cycle.
  static let slowest: Duration = .seconds(30)
  /// A longer gap is a cycle only if it occurs twice.
  static let slowestAtOnce: Duration = .seconds(15)
  /// A clock that shows the same time for this long, or for three cycles, stands still.
  static let standstill: Duration = .seconds(3)
  /// How many reports are compared with a new one: more than an epoch has.
  static let remembered = 8
  /// A time that is so much more ahead than the arrival, or by ten cycles, is doubtful.
  static let leap: Duration = .seconds(60)
  /// Times before the epoch's are ignored until the epoch is this old, or ten cycles.
  static let staleness: Duration = .seconds(10)

  /// The receiver's cycle: measured between the beginnings of its epochs, or reported by gpsd.
  package private(set) var cycle = EpochSorter.assumedCycle
  /// Whether the cycle has been measured.
  package private(set) var isMeasured = false
  private var previousGap: Duration?
  /// The session has ended: the next report begins an epoch, whatever its time.
  private var isInterrupted = false
  private var epochTime: Timestamp?
  private var epochBegin: Instant?
  private var lastArrival: Instant?
  /// Ascending times before the held one: how many in a row, and the newest.
  private var stepBack: (count: Int, newest: Timestamp)? {
    get { self.stepBackCount > 0 ? self.stepBackNewest.map { (self.stepBackCount, $0) } : nil }
    set {
      self.stepBackCount = newValue?.count ?? 0
      self.stepBackNewest = newValue?.newest
    }
  }
  private var stepBackCount = 0
  private var stepBackNewest: Timestamp?
  /// Whether an old time was ignored since the epoch began; then the next gap does not measure the cycle.
  private var hasSetAside = false
  /// The time that the clock shows while it stands still.
  private var repeatedTime: Timestamp?
  /// The newest different reports with a time, without their arrival. They outlast a session, because a receiver may hang
  /// over many.
  private var contents: [PositionReport] = []

  /// Reports of one time: the time, and the arrival and the place of the first.
  private struct Moment: Hashable, Sendable {
    let time: Timestamp
    let arrival: Instant
    let latitude: Double?
    let longitude: Double?

    init(_ report: PositionReport, time: Timestamp, arrival: Instant) {
      self.time = time
      self.arrival = arrival
      self.latitude = report.latitude
      self.longitude = report.longitude
    }

    func isAtPlace(of other: Moment) -> Bool {
      self.latitude != nil && self.latitude == other.latitude && self.longitude == other.longitude
    }
  }

  /// The newest time that is believed, and the one before.
  private var newest: Moment?
  private var earlier: Moment?
  /// Times far ahead: how many in a row, and the newest.
  private var leapCount = 0
  private var leapNewest: Moment?
  /// Whether the time of the last report is doubtful, so that the report counts as one without a time.
  package private(set) var isTimeDoubtful = false
  /// Whether the last epoch with a time had two.
  private var isDivided = false
  /// When a time last looked like the second one of an epoch.
  private var lastSecondTime: Instant?
  /// Whether the current epoch has its second time.
  private var hasSecondTime = false

  /// Whether the current epoch will have another report with a later time.
  package var awaitsSecondTime: Bool { self.isDivided && !self.hasSecondTime }

  /// gpsd has reported the receiver's cycle.
  package mutating func cycleReported(_ cycle: Duration) {
    if cycle > .zero, self.epochBegin == nil { self.cycle = cycle }
  }

  /// The session with the receiver has ended: its clock may start again, its cycle is kept.
  package mutating func sessionEnded() {
    self.isInterrupted = true
    self.epochTime = nil
    self.stepBack = nil
    self.repeatedTime = nil
    (self.newest, self.earlier, self.leapNewest, self.leapCount) = (nil, nil, nil, 0)
    (self.isDivided, self.hasSecondTime, self.lastSecondTime) = (false, false, nil)
  }

  package init() {}

  /// - Parameter arrival: When the report arrived.
  package mutating func place(_ report: PositionReport, arrival: Instant) -> Placement {
    self.isTimeDoubtful = false
    if self.repeats(report, arrival: arrival) { return .repetition }
    let moment = report.time.map { Moment(report, time: $0, arrival: arrival) }
    self.isTimeDoubtful = moment.map { self.isLeap($0) } ?? false
    let believed = self.isTimeDoubtful ? nil : moment
    let placement = self.place(believed, arrival: arrival)
    if placement != .duplicate, let believed { self.note(believed) }
    return placement
  }

  /// - Parameter moment: `nil` for a report without a time that is believed.
  private mutating func place(_ moment: Moment?, arrival: Instant) -> Placement {
    let time = moment?.time
    guard !self.isInterrupted, let begin = self.epochBegin, let lastArrival = self.lastArrival else {
      self.begin(time: time, arrival: arrival)
      return .next
    }
    self.lastArrival = arrival
    if let moment, let time, let epochTime = self.epochTime, !self.clockStandsStill(time, epochTime, arrival - begin) {
      if time == epochTime { return .current }
      if time < epochTime { return self.placeOldTime(time, arrival: arrival, sinceBegin: arrival - begin) }
      if self.isSecondTime(moment) {
        (self.isDivided, self.hasSecondTime) = (true, true)
        return .current
      }
      if time == self.newest?.time { return .current }
      self.begin(time: time, arrival: arrival)
      return .next
    }
    // Without a time, the gap since the last report decides, so that a long burst stays together.
    if self.isInBurst(arrival, lastArrival: lastArrival, begin: begin) {
      if self.epochTime == nil { self.epochTime = time }
      return .current
    }
    self.begin(time: time, arrival: arrival)
    return .next
  }

  private func isInBurst(_ arrival: Instant, lastArrival: Instant, begin: Instant) -> Bool {
    (arrival - lastArrival).seconds < 0.4 * self.cycle.seconds && (arrival - begin).seconds < 0.9 * self.cycle.seconds
  }

  /// Whether it is a report that came before. One without a time proves nothing: a parked receiver may report the same
  /// place for minutes. Within a burst gpsd itself says things twice.
  private mutating func repeats(_ report: PositionReport, arrival: Instant) -> Bool {
    guard report.time != nil else { return false }
    var content = report
    content.arrival = .boot
    guard self.contents.contains(content) else {
      self.contents = self.contents.suffix(Self.remembered - 1) + [content]
      return false
    }
    guard !self.isInterrupted, let begin = self.epochBegin, let lastArrival = self.lastArrival else { return true }
    return !self.isInBurst(arrival, lastArrival: lastArrival, begin: begin)
  }

  private mutating func note(_ moment: Moment) {
    guard moment.time != self.newest?.time else { return }
    self.earlier = self.newest
    self.newest = moment
  }

  /// Whether a time is far ahead of the time that has passed by the arrivals, and not confirmed yet.
  private mutating func isLeap(_ moment: Moment) -> Bool {
    func leaps(from earlier: Moment) -> Bool {
      (moment.time - earlier.time) - (moment.arrival - earlier.arrival) > max(Self.leap, self.cycle * 10)
    }
    guard let newest, leaps(from: newest) else {
      (self.leapCount, self.leapNewest) = (0, nil)
      return false
    }
    // A repeated time of the same epoch confirms nothing.
    if moment.time == self.leapNewest?.time { return true }
    let isConfirming = self.leapNewest.map { moment.time > $0.time && !leaps(from: $0) } ?? false
    self.leapCount = isConfirming ? self.leapCount + 1 : 1
    self.leapNewest = moment
    guard self.leapCount >= Self.confirmations else { return true }
    (self.leapCount, self.leapNewest) = (0, nil)
    return false
  }

  /// Whether a later time is another one of the current epoch. A single such step may be a delay.
  private mutating func isSecondTime(_ moment: Moment) -> Bool {
    guard let newest, let earlier else { return false }
    let (within, between) = ((moment.time - newest.time).seconds, (newest.time - earlier.time).seconds)
    let period = (moment.arrival - earlier.arrival).seconds
    let sum = within + between
    guard within > 0, between > 0, abs(within - between) > 0.2 * sum else { return false }
    let gap = (moment.arrival - newest.arrival).seconds
    let isInBurst = gap < 0.4 * period && gap < 0.5 * within && abs(period - sum) < 0.2 * sum
    let isSamePlace = gap < within && moment.isAtPlace(of: newest) && !newest.isAtPlace(of: earlier)
    guard isInBurst || isSamePlace else { return false }
    defer { self.lastSecondTime = moment.arrival }
    return self.lastSecondTime.map { (moment.arrival - $0).seconds < 1.5 * period } ?? false
  }

  private mutating func clockStandsStill(_ time: Timestamp, _ epochTime: Timestamp, _ sinceBegin: Duration) -> Bool {
    if time == epochTime, sinceBegin > max(Self.standstill, self.cycle * 3) {
      // The detection took so long that the gap does not measure the cycle.
      if self.repeatedTime != time { self.hasSetAside = true }
      self.repeatedTime = time
    } else if time != self.repeatedTime {
      self.repeatedTime = nil
    }
    return time == self.repeatedTime
  }

  private mutating func placeOldTime(_ time: Timestamp, arrival: Instant, sinceBegin: Duration) -> Placement {
    self.hasSetAside = true
    if sinceBegin >= max(Self.staleness, self.cycle * 10) {
      self.begin(time: time, arrival: arrival)
      return .next
    }
    var count = 1
    if let stepBack = self.stepBack {
      // A repeated time of the candidate's own epoch confirms nothing.
      if time == stepBack.newest { return .duplicate }
      if time > stepBack.newest { count = stepBack.count + 1 }
    }
    if count >= EpochSorter.confirmations {
      self.begin(time: time, arrival: arrival)
      return .next
    }
    self.stepBack = (count, time)
    return .duplicate
  }

  private mutating func begin(time: Timestamp?, arrival: Instant) {
    if let begin = self.epochBegin, !self.hasSetAside { self.measure(arrival - begin) }
    self.epochTime = time
    self.epochBegin = arrival
    self.lastArrival = arrival
    self.stepBack = nil
    self.hasSetAside = false
    self.isInterrupted = false
    self.isDivided = self.hasSecondTime
    self.hasSecondTime = false
  }

  /// Adopts a shorter cycle at once. A longer one is adopted if it is the first or occurs twice, else gradually: a
  /// longer gap is usually a lost epoch.
  private mutating func measure(_ gap: Duration) {
    guard gap >= .milliseconds(10), gap <= Self.slowest else { return }
    if gap < self.cycle || (!self.isMeasured && gap <= Self.slowestAtOnce) {
      self.cycle = gap
    } else if let previousGap, previousGap > self.cycle, max(gap, previousGap) - min(gap, previousGap) < gap / 5 {
      self.cycle = min(gap, previousGap)
    } else {
      self.cycle += (gap - self.cycle) / 4
    }
    self.isMeasured = true
    self.previousGap = gap
  }
}
