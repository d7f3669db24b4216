package import Positioning
package import ReceiverPorts

/// Turns the reports of one or several receivers into trustworthy fixes.
///
/// Reports depend on the receiver's driver: there are several for one moment, some without time, position or estimate,
/// some with a time years ago, some a continent away. The filter sorts them into epochs, merges those that belong
/// together, publishes each epoch's fix once its accuracy is known (or cannot be waited for), and detects a loss. It
/// reads no clock: `now` is an argument, and `nextDeadline` is when to call it again.
package struct FixFilter: Sendable {
  package enum Event: Hashable, Sendable {
    /// A new epoch has a fix.
    case fixed(Fix, epoch: Int)
    /// A later report of the same epoch made its fix better.
    case improved(Fix, epoch: Int)
    case rejected(Rejection)
  }

  /// Why a report did not become a fix.
  package enum Rejection: String, Hashable, Sendable, CaseIterable {
    /// Mode 0: the report has no information.
    case unknownMode
    case noFix
    /// Mode 2 or 3 without a valid latitude or longitude.
    case noPosition
    case simulated
    /// A receiver time that is not later than the current one.
    case duplicate
    /// An unconfirmed move that is faster than the device can move.
    case jump
    /// From a receiver other than the chosen one.
    case otherReceiver
    /// The epoch's fix was published already, and the report does not improve it.
    case repeated
    /// It equals an earlier report in everything, its time included: the receiver hangs.
    case repetition
  }

  /// How many devices are remembered.
  static let maximumReceivers = 16
  /// A link may bring a report twice; a receiver that repeats one for longer hangs.
  static let repetitionsForDoubt: Duration = .seconds(2)
  /// A receiver's first reports may lack the accuracy that the later ones have.
  static let fixesForDoubt = 3
  /// The least time between two epochs without a fix that count as a loss.
  static let lossSpacing: Duration = .seconds(1)

  private var settings: FixSettings
  private var receivers: [String: ReceiverTrack] = [:]
  private var choice = ReceiverChoice()
  private var jumps = JumpGuard()
  private var epochNumber = 0

  /// The newest fix. It stays after a loss or a release, with its age.
  package private(set) var current: Fix?
  package private(set) var currentEpoch = 0
  /// Whether the receiver has a fix now, in this session.
  package private(set) var hasFix = false
  /// Whether it had a fix in this session and lost it.
  package private(set) var isLost = false
  /// When the receiver began to repeat an earlier report, and when it did last.
  private var repetitions: (first: Instant, last: Instant)?
  /// How many fixes in a row had no accuracy.
  private var fixesWithoutAccuracy = 0
  private var lossEvidence: (epoch: Int, arrival: Instant)?
  /// The arrival of the last position that waits for confirmation: a receiver with such positions is not silent.
  private var lastSign: Instant?

  package init(settings: FixSettings) {
    self.settings = settings
  }

  /// When to call `deadlineReached`; `nil`: not at all.
  package var nextDeadline: Instant? {
    [self.holdDeadline, self.lossDeadline].compactMap { $0 }.min()
  }

  private var holdDeadline: Instant? {
    self.receivers.values.compactMap(\.holdDeadline).min()
  }

  private var lossDeadline: Instant? {
    guard self.hasFix, let current = self.current else { return nil }
    let cycle = self.receivers[current.device ?? ""]?.cycle ?? .zero
    return max(current.arrival, self.lastSign ?? current.arrival) + max(self.settings.lossAfter, cycle * 3)
  }

  /// New settings, for the next report on.
  package mutating func change(_ settings: FixSettings) {
    self.settings = settings
  }

  /// Whether this receiver's reports count: it is the configured or the chosen one, or none is chosen yet.
  package func trusts(_ device: String?) -> Bool {
    self.choice.trusts(device, configured: self.settings.device)
  }

  /// What is wrong with the reports of the receiver whose fixes count; `nil`: nothing.
  package var problem: ReceiverProblem? {
    if let repetitions, repetitions.last - repetitions.first >= Self.repetitionsForDoubt { return .repeating }
    guard self.hasFix else { return nil }
    if self.lag != nil { return .late }
    return self.fixesWithoutAccuracy >= Self.fixesForDoubt ? .noAccuracy : nil
  }

  /// How much later than at best the newest fix arrived, if that is more than usual.
  package var lag: Duration? { self.hasFix ? self.current?.lag : nil }

  /// The time between two epochs of a device, as far as known.
  package func cycle(of device: String?) -> Duration {
    self.receivers[device ?? ""]?.cycle ?? EpochSorter.assumedCycle
  }

  /// The open epoch of a device; `nil` before its first report.
  func epoch(of device: String?) -> Int? { self.receivers[device ?? ""]?.epoch?.number }

  /// gpsd's list of receivers has changed: their drivers determine the meaning of their estimates.
  package mutating func devicesListed(_ devices: [ReceiverDevice]) {
    if let chosen = self.choice.chosen, !devices.isEmpty, !devices.contains(where: { $0.path == chosen }) {
      self.choice.leave()
    }
    for device in devices {
      self.receivers[self.key(of: device.path), default: ReceiverTrack()].listed(device)
    }
  }

  /// The session with the receiver has ended: its epochs and its clock start again. Its cycle and its errors belong to
  /// the receiver and are kept.
  ///
  /// - Parameter isIntended: The daemon released the receiver, which is no loss.
  package mutating func sessionEnded(isIntended: Bool) {
    let hadFix = self.hasFix
    for key in self.receivers.keys { self.receivers[key]?.sessionEnded() }
    self.choice = ReceiverChoice()
    self.jumps = JumpGuard()
    self.hasFix = false
    self.repetitions = nil
    self.lossEvidence = nil
    self.isLost = isIntended ? false : self.isLost || hadFix
  }

  /// - Parameter teaches: Whether it shows what the receiver's errors mean: not if nobody can trust it.
  package mutating func received(_ report: PositionReport, teaches: Bool = true) -> [Event] {
    var report = report.sanitized
    guard report.mode != .unknown else { return [.rejected(.unknownMode)] }
    let key = self.key(of: report.device)
    var track = self.receivers[key] ?? ReceiverTrack()
    let placement = track.place(&report)
    var events: [Event] = []
    switch placement {
    case .duplicate:
      self.receivers[key] = track
      if report.hasPosition, self.trusts(report.device) { self.lastSign = report.arrival }
      return [.rejected(.duplicate)]
    case .repetition:
      // No sign of life: the fix ages, is lost, or gives way to another receiver's, as if there were no report.
      self.receivers[key] = track
      if self.trusts(report.device) {
        self.repetitions = (self.repetitions?.first ?? report.arrival, report.arrival)
      }
      return [.rejected(.repetition)]
    case .next:
      // The fix that the previous epoch held back is published first.
      events += self.release(&track)
      self.epochNumber += 1
      track.begin(Epoch(number: self.epochNumber, first: report))
    case .current:
      track.noteTime(of: report)
    }
    if self.trusts(report.device) { self.repetitions = nil }
    events += self.judge(report, teaches: teaches, &track)
    self.receivers[key] = track
    return events
  }

  /// Standard deviations: they improve the epoch of the same time, or wait for it.
  ///
  /// - Parameter teaches: Whether they show what the receiver's errors are.
  package mutating func received(_ estimate: ErrorEstimateReport, teaches: Bool = true) -> [Event] {
    let key = self.key(of: estimate.device)
    var track = self.receivers[key] ?? ReceiverTrack()
    defer { self.receivers[key] = track }
    guard track.take(estimate.sanitized, teaches: teaches) else { return [] }
    return self.offer(&track, isFinal: false)
  }

  /// A sky report: its dilution of precision shows from what the receiver's estimates are computed.
  package mutating func received(_ sky: SkyReport) {
    self.receivers[self.key(of: sky.device), default: ReceiverTrack()].received(sky)
  }

  /// The key of a device in the table. gpsd has at most six devices; what has more is not gpsd.
  private mutating func key(of device: String?) -> String {
    let key = device ?? ""
    if self.receivers[key] == nil, self.receivers.count >= Self.maximumReceivers {
      self.receivers = self.receivers.filter { $0.key == self.choice.chosen }
    }
    return key
  }

  package mutating func deadlineReached(now: Instant) -> [Event] {
    var events: [Event] = []
    for key in self.receivers.keys.sorted() {
      guard var track = self.receivers[key], let deadline = track.holdDeadline, now >= deadline else { continue }
      events += self.release(&track)
      self.receivers[key] = track
    }
    if let deadline = self.lossDeadline, now >= deadline { self.lose() }
    return events
  }

  /// Whether the position is none of the receiver's own, as it says itself: a simulated one, unless the settings allow that.
  func isForeign(_ report: PositionReport) -> Bool { report.status == 8 && !self.settings.allowsSimulated }

  /// Processes a report once its epoch is known.
  private mutating func judge(_ report: PositionReport, teaches: Bool, _ track: inout ReceiverTrack) -> [Event] {
    guard let epoch = track.epoch else { return [] }
    guard report.mode != .noFix else {
      // A receiver with changing modes within one epoch has not lost its fix.
      guard epoch.report == nil, self.trusts(report.device) else {
        return [.rejected(.noFix)]
      }
      self.considerLoss(epoch: epoch.number, arrival: report.arrival)
      return [.rejected(.noFix)]
    }
    guard !self.isForeign(report) else { return [.rejected(.simulated)] }
    guard report.hasPosition else { return [.rejected(.noPosition)] }
    track.add(report, teaches: teaches)
    return self.offer(&track, isFinal: false)
  }

  /// Publishes the open epoch's fix if it is complete, or may not be held back any longer.
  private mutating func offer(_ track: inout ReceiverTrack, isFinal: Bool) -> [Event] {
    guard let epoch = track.epoch, let report = epoch.report, let fix = track.fix(self.settings) else { return [] }
    if track.isPublished {
      // After the loss there is no fix to improve.
      guard self.hasFix, let published = self.current, published != fix, self.currentEpoch == epoch.number else {
        return [.rejected(.repeated)]
      }
      let isPlausible = JumpGuard.isPlausible(
        from: published, to: fix, maxSpeed: self.settings.maxSpeed, cycle: track.cycle)
      guard isPlausible else { return [.rejected(.jump)] }
      self.current = fix
      if fix.accuracySource != nil { self.fixesWithoutAccuracy = 0 }
      return [.improved(fix, epoch: epoch.number)]
    }
    guard isFinal || track.isComplete(fix) else {
      track.hold(since: report.arrival)
      return []
    }
    track.endHold()
    let isSilent = self.isChosenSilent(at: fix.arrival)
    guard self.choice.accepts(fix, configured: self.settings.device, isChosenSilent: isSilent) else {
      return [.rejected(.otherReceiver)]
    }
    guard
      self.jumps.accepts(
        fix, epoch: epoch.number, after: self.current, maxSpeed: self.settings.maxSpeed, cycle: track.cycle)
    else {
      self.lastSign = report.arrival
      return [.rejected(.jump)]
    }
    // Fixes of two receivers may be published out of order if one was held back.
    if let current = self.current, fix.arrival < current.arrival { return [.rejected(.otherReceiver)] }
    track.published()
    self.current = fix
    self.currentEpoch = epoch.number
    self.fixesWithoutAccuracy = fix.accuracySource == nil ? self.fixesWithoutAccuracy + 1 : 0
    self.hasFix = true
    self.isLost = false
    self.lossEvidence = nil
    return [.fixed(fix, epoch: epoch.number)]
  }

  private mutating func release(_ track: inout ReceiverTrack) -> [Event] {
    guard track.isHeld else { return [] }
    return self.offer(&track, isFinal: true)
  }

  private mutating func considerLoss(epoch: Int, arrival: Instant) {
    guard self.hasFix else { return }
    guard let evidence = self.lossEvidence else { return self.lossEvidence = (epoch, arrival) }
    guard evidence.epoch != epoch, arrival - evidence.arrival >= Self.lossSpacing else { return }
    // Another receiver has a fix: its next one counts, and the fix is lost only if that does not come.
    guard self.settings.device == nil, self.hasOther(than: self.choice.chosen, at: arrival) else { return self.lose() }
    self.choice.leave()
    self.lossEvidence = nil
  }

  /// Whether another receiver reports positions regularly.
  private func hasOther(than device: String?, at moment: Instant) -> Bool {
    self.receivers.contains { key, track in key != device ?? "" && track.reportsPositions(at: moment) }
  }

  /// Whether the chosen receiver has missed two epochs of its known cycle, so that waiting is useless.
  private func isChosenSilent(at moment: Instant) -> Bool {
    guard let track = self.receivers[self.choice.chosen ?? ""], track.isCycleKnown else { return false }
    return !track.reportsPositions(at: moment)
  }

  private mutating func lose() {
    self.hasFix = false
    self.isLost = true
    self.lossEvidence = nil
  }
}
