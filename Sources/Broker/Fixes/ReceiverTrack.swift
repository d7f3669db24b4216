import Positioning
import ReceiverPorts

/// What the filter knows of one receiver: its cycle and errors, which last, and the open epoch.
struct ReceiverTrack: Sendable {
  /// How long an epoch may be held back for its accuracy.
  static let holdLimit: Duration = .milliseconds(300)
  /// A receiver is not silent before this time, however fast its cycle is.
  static let leastTimeout: Duration = .milliseconds(1500)

  private var sorter = EpochSorter()
  private var lag = ArrivalLag()
  private(set) var epoch: Epoch?
  /// Whether the open epoch's fix was published.
  private(set) var isPublished = false
  /// Since when the open epoch's fix is held back.
  private var heldSince: Instant?
  private var errors = ReceiverErrors()
  /// When the receiver last reported a position.
  private var lastPosition: Instant?
  private var driver: String?
  /// An estimate that came before its epoch's position.
  private var pendingEstimate: ErrorEstimateReport?
  /// When the receiver last gave standard deviations.
  private var estimateArrival: Instant?
  /// Whether the previous epoch of this session had an altitude.
  private var givesAltitude = false
  /// Whether the receiver reported an accuracy in this session: then the filter waits for it instead of assuming one.
  private var givesAccuracy = false

  private var statistic: AccuracyTable.Statistic { AccuracyTable.statistic(driver: self.driver) }

  /// When the held back fix is published unchanged.
  var holdDeadline: Instant? {
    // The first epoch of an NMEA receiver shows whether it gives standard deviations. They come after all other
    // sentences, so that epoch waits for the next one to begin.
    let isKnown = self.errors.hasFullEpoch || self.statistic != .dilution
    let limit = isKnown ? Self.holdLimit : max(Self.holdLimit, self.sorter.cycle * 6 / 5)
    return self.heldSince.map { $0 + limit }
  }

  /// The time between two epochs, as far as known.
  var cycle: Duration { self.sorter.cycle }

  var isCycleKnown: Bool { self.sorter.isMeasured }

  var isHeld: Bool { self.heldSince != nil }

  /// The epoch to which a report belongs.
  ///
  /// - Parameter report: It loses a time that nothing confirms.
  mutating func place(_ report: inout PositionReport) -> EpochSorter.Placement {
    let placement = self.sorter.place(report, arrival: report.arrival)
    if self.sorter.isTimeDoubtful { report.time = nil }
    return placement
  }

  mutating func received(_ sky: SkyReport) { self.errors.received(sky) }

  /// The open epoch's fix waits for its accuracy, from this moment on unless it does already.
  mutating func hold(since moment: Instant) { self.heldSince = self.heldSince ?? moment }

  mutating func endHold() { self.heldSince = nil }

  /// The open epoch's fix was published.
  mutating func published() { self.isPublished = true }

  /// gpsd's description of the receiver.
  mutating func listed(_ device: ReceiverDevice) {
    self.driver = device.driver ?? self.driver
    if let cycle = device.cycle { self.sorter.cycleReported(cycle) }
  }

  /// The session has ended: the next report belongs to another epoch, and the clock may start again.
  mutating func sessionEnded() {
    self.sorter.sessionEnded()
    self.lag.sessionEnded()
    self.epoch = nil
    self.isPublished = false
    self.heldSince = nil
    self.lastPosition = nil
    self.pendingEstimate = nil
    self.givesAccuracy = false
    self.givesAltitude = false
  }

  /// Whether the receiver reported a position within two of its cycles.
  func reportsPositions(at moment: Instant) -> Bool {
    self.lastPosition.map { moment - $0 <= max(Self.leastTimeout, self.sorter.cycle * 2) } ?? false
  }

  /// The next epoch begins.
  mutating func begin(_ epoch: Epoch) {
    if let before = self.epoch, before.report != nil {
      self.errors.epochEnded(hadDeviations: before.estimate != nil)
      self.givesAltitude = before.report?.hasAltitude ?? false
    }
    self.epoch = epoch
    self.isPublished = false
    guard let estimate = self.pendingEstimate else { return }
    self.pendingEstimate = nil
    let belongs =
      if let time = estimate.time, let epochTime = epoch.time {
        time == epochTime
      } else {
        (epoch.firstArrival - estimate.arrival).seconds < 0.4 * self.sorter.cycle.seconds
      }
    if belongs { self.epoch?.estimate = estimate }
  }

  /// Sets the open epoch's time, if its first report had none.
  mutating func noteTime(of report: PositionReport) {
    self.epoch?.noteTime(of: report)
  }

  /// Another report of the open epoch with a position.
  ///
  /// - Parameter teaches: Whether it shows what the receiver's errors mean.
  mutating func add(_ report: PositionReport, teaches: Bool) {
    self.lastPosition = report.arrival
    if let epoch = self.epoch, epoch.report == nil {
      self.lag.received(time: epoch.time, arrival: report.arrival)
    }
    self.epoch?.add(report)
    guard teaches else { return }
    self.errors.received(report, statistic: self.statistic)
    if let epoch = self.epoch, let estimate = epoch.estimate { self.note(estimate, in: epoch) }
  }

  /// Standard deviations. Returns whether they improve the open epoch; otherwise they wait for theirs, or are too late.
  ///
  /// - Parameter teaches: Whether they show what the receiver's errors are.
  mutating func take(_ estimate: ErrorEstimateReport, teaches: Bool) -> Bool {
    self.estimateArrival = estimate.arrival
    guard let epoch = self.epoch else {
      self.pendingEstimate = estimate
      return false
    }
    let belongs: Bool
    if let time = estimate.time, let epochTime = epoch.time {
      belongs = time == epochTime
      if time > epochTime { self.pendingEstimate = estimate }
      // Too late for their own epoch, but the receiver's newest error.
      if time < epochTime, teaches { self.note(estimate, in: epoch) }
    } else {
      belongs = (estimate.arrival - epoch.lastArrival).seconds < 0.4 * self.sorter.cycle.seconds
      if !belongs { self.pendingEstimate = estimate }
    }
    guard belongs else { return false }
    self.epoch?.estimate = estimate
    if teaches { self.note(estimate, in: epoch) }
    return epoch.report != nil
  }

  private mutating func note(_ estimate: ErrorEstimateReport, in epoch: Epoch) {
    guard let report = epoch.report,
      let error = AccuracyTable.horizontal(deviations: estimate.latitude, estimate.longitude)
    else { return }
    self.errors.reported(
      error, with: report, dilution: self.errors.dilution(madeInto: report, statistic: self.statistic))
  }

  /// The open epoch's fix with its errors.
  mutating func fix(_ settings: FixSettings) -> Fix? {
    guard let epoch = self.epoch, let report = epoch.report, var fix = epoch.fix else { return nil }
    let statistic = self.statistic
    let dilution = self.errors.dilution(madeInto: report, statistic: statistic)
    let error =
      epoch.estimate.flatMap { AccuracyTable.horizontal(deviations: $0.latitude, $0.longitude) }
      ?? self.errors.carried(
        over: AccuracyTable.horizontal(
          report: report, statistic: statistic, dilution: dilution, errorPerDilution: settings.errorPerDilution),
        to: report, dilution: dilution, cycle: self.sorter.cycle)
    if let error {
      self.givesAccuracy = true
      fix.setError(error)
    } else if let assumed = settings.assumedAccuracy {
      // The configured assumption, for receivers that report no error.
      fix.setError(.round(assumed, .assumed))
    }
    fix.verticalAccuracy = AccuracyTable.vertical(
      report: report, estimate: epoch.estimate, statistic: statistic, dilution: dilution,
      errorPerDilution: settings.errorPerDilution)
    fix.speedAccuracy = AccuracyTable.speed(report: report, driver: self.driver, cycle: self.sorter.cycle)
    fix.courseAccuracy = AccuracyTable.course(report: report, statistic: statistic)
    fix.removeCourseOfError()
    fix.lag = self.lag.counted
    return fix
  }

  /// Whether the epoch is complete: it has what the receiver gives, and its accuracy comes from the receiver's best source.
  func isComplete(_ fix: Fix) -> Bool {
    if self.sorter.awaitsSecondTime { return false }
    if self.givesAltitude, fix.mode == .threeDimensional, fix.altitude == nil, fix.ellipsoidalAltitude == nil {
      return false
    }
    switch fix.accuracySource {
    case nil: return false
    case .assumed where self.givesAccuracy: return false
    case .dilution where !self.errors.hasFullEpoch: return false
    case .assumed, .dilution, .earlierDeviations, .nominal95, .receiver, .standardDeviations, .vague: break
    }
    guard self.epoch?.estimate == nil, let estimateArrival = self.estimateArrival else { return true }
    let givesEstimates = (fix.arrival - estimateArrival).seconds < 3 * self.sorter.cycle.seconds
    return !givesEstimates
  }
}

/// How much later than at best a receiver's positions arrive: a link with a buffer, such as a bridge to Bluetooth or WiFi,
/// may hold them back longer and longer, and each still looks new when it arrives.
///
/// The receiver's clock and the one that counts since boot advance alike, whatever either shows. So the least difference
/// between arrival and receiver's time in a session is a lag of zero, and what exceeds it is lag. How late the best one
/// was cannot be known.
struct ArrivalLag: Hashable, Sendable {
  /// A lag up to this is the usual spread of arrivals: sentences of one second may take the whole second at 4800 baud.
  static let bound: Duration = .seconds(2)
  /// By how much the system's clock may be faster than the receiver's: while it is corrected, by 500 parts in a million.
  static let drift = 0.0005

  private var last: (time: Timestamp, arrival: Instant)? {
    get { self.lastTime.flatMap { time in self.lastArrival.map { (time, $0) } } }
    set { (self.lastTime, self.lastArrival) = (newValue?.time, newValue?.arrival) }
  }
  private var lastTime: Timestamp?
  private var lastArrival: Instant?
  private var lag: Duration = .zero

  /// The lag if it is beyond the bound; then it belongs to the age.
  var counted: Duration? { self.lag > Self.bound ? self.lag : nil }

  /// The first position of an epoch.
  mutating func received(time: Timestamp?, arrival: Instant) {
    guard let time else { return }
    defer { self.last = (time, arrival) }
    // A clock that went back was set: then nothing is known of the lag.
    guard let last, time > last.time else { return self.lag = .zero }
    let (gap, step) = (arrival - last.arrival, time - last.time)
    self.lag = max(.zero, self.lag + gap - step - gap * Self.drift)
  }

  /// The session has ended.
  mutating func sessionEnded() { self = ArrivalLag() }
}

/// Everything that one receiver reported about one moment, in any number of reports.
struct Epoch: Hashable, Sendable {
  /// Rises with every epoch of the filter, for all receivers together.
  let number: Int
  /// The receiver's time, from the first report with a time.
  private(set) var time: Timestamp?
  let firstArrival: Instant
  private(set) var lastArrival: Instant
  /// The merged fields of all reports with a position; `nil` if none had one.
  private(set) var report: PositionReport?
  var estimate: ErrorEstimateReport?

  init(number: Int, first: PositionReport) {
    self.number = number
    self.time = first.time
    self.firstArrival = first.arrival
    self.lastArrival = first.arrival
  }

  /// Merges a report: a later value replaces an earlier one, an absent one changes nothing.
  mutating func add(_ report: PositionReport) {
    self.lastArrival = report.arrival
    self.time = self.time ?? report.time
    if self.report == nil { self.report = report } else { self.report?.merge(report) }
  }

  /// Sets the time, if the first report had none.
  mutating func noteTime(of report: PositionReport) { self.time = self.time ?? report.time }

  /// The fix of the epoch so far. `arrival` is that of the first report with a position: a later report makes the fix
  /// better, not younger. Its errors are computed separately, with what is known of the receiver.
  var fix: Fix? { self.report?.fix(time: self.time) }
}
