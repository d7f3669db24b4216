package import Positioning
package import ReceiverPorts

/// Turns the reports of one or several receivers into fixes that can be believed.
///
/// Reports come as a receiver's driver happens to make them: several for one moment, some without time, position or
/// estimate, some from years ago, some a continent away. The filter sorts them into epochs, joins what belongs
/// together, gives each epoch once its accuracy is known (or can't be waited for), and says when there is no fix any
/// more. It reads no clock: `now` is an argument, and `nextDeadline` tells when it wants to be asked again.
package struct FixFilter: Sendable {
  package enum Event: Hashable, Sendable {
    /// A new epoch has a fix.
    case fixed(Fix, epoch: Int)
    /// A later report of that epoch made its fix better.
    case improved(Fix, epoch: Int)
    /// There was a fix, and now there is none.
    case lost
    case rejected(Rejection)
  }

  /// Why a report became no fix.
  package enum Rejection: String, Hashable, Sendable, CaseIterable {
    /// Mode 0: the report says nothing.
    case unknownMode
    case noFix
    /// Mode 2 or 3 without a latitude or longitude in range.
    case noPosition
    case simulated
    /// A receiver time at or before the held one.
    case duplicate
    /// A move faster than the device can move, not confirmed.
    case jump
    /// From a receiver that is not the chosen one.
    case otherReceiver
    /// The epoch's fix was told already, and the report adds nothing to it.
    case repeated
  }

  /// Devices of which something is kept.
  static let maximumReceivers = 16
  /// The least time between two epochs without a fix that make a loss.
  static let lossSpacing: Duration = .seconds(1)

  private var settings: FixSettings
  private var receivers: [String: ReceiverTrack] = [:]
  private var choice = ReceiverChoice()
  private var jumps = JumpGuard()
  private var epochNumber = 0

  /// The newest fix; stays when the receiver is lost or released: its age tells what it is worth.
  package private(set) var current: Fix?
  package private(set) var currentEpoch = 0
  /// Whether the receiver has a fix now, in this session with it.
  package private(set) var hasFix = false
  /// Whether it had one in this session and lost it.
  package private(set) var isLost = false
  private var lossEvidence: (epoch: Int, arrival: Instant)?
  /// When a position came last that was set aside until others confirm it: the receiver is no more silent then than
  /// with a fix.
  private var lastSign: Instant?

  package init(settings: FixSettings) {
    self.settings = settings
  }

  /// When `deadlineReached` must be called; `nil`: not at all.
  package var nextDeadline: Instant? {
    [self.holdDeadline, self.lossDeadline].compactMap { $0 }.min()
  }

  private var holdDeadline: Instant? {
    self.receivers.values.compactMap(\.holdDeadline).min()
  }

  private var lossDeadline: Instant? {
    guard self.hasFix, let current = self.current else { return nil }
    let cycle = self.receivers[current.device ?? ""]?.sorter.cycle ?? .zero
    return max(current.arrival, self.lastSign ?? current.arrival) + max(self.settings.lossAfter, cycle * 3)
  }

  /// The administrator changed what is believed; holds from the next report on.
  package mutating func change(_ settings: FixSettings) {
    self.settings = settings
  }

  /// Whether what this receiver tells counts: it is the configured one, or the chosen one, or none is chosen yet.
  package func believes(_ device: String?) -> Bool {
    self.choice.believes(device, configured: self.settings.device)
  }

  /// The time between two epochs of a device, as far as is known.
  package func cycle(of device: String?) -> Duration {
    self.receivers[device ?? ""]?.sorter.cycle ?? EpochSorter.assumedCycle
  }

  /// gpsd's list of receivers changed: their drivers say what their estimates mean.
  package mutating func devicesListed(_ devices: [ReceiverDevice]) {
    if let chosen = self.choice.chosen, !devices.isEmpty, !devices.contains(where: { $0.path == chosen }) {
      self.choice.leave()
    }
    for device in devices {
      self.receivers[device.path, default: ReceiverTrack()].listed(device)
    }
  }

  /// The session with the receiver ended or broke: its epochs and its clock begin anew. Its rhythm, and what it said of
  /// its errors, are the receiver's own and stay.
  ///
  /// - Parameter isIntended: we released the receiver; that is no loss.
  package mutating func sessionEnded(isIntended: Bool) -> [Event] {
    let hadFix = self.hasFix
    for key in self.receivers.keys { self.receivers[key]?.sessionEnded() }
    self.choice = ReceiverChoice()
    self.jumps = JumpGuard()
    self.hasFix = false
    self.lossEvidence = nil
    self.isLost = isIntended ? false : self.isLost || hadFix
    return hadFix && !isIntended ? [.lost] : []
  }

  package mutating func received(_ report: PositionReport) -> [Event] {
    let report = report.sound
    guard report.mode != .unknown else { return [.rejected(.unknownMode)] }
    let key = self.key(of: report.device)
    var track = self.receivers[key] ?? ReceiverTrack()
    let placement = track.sorter.place(time: report.time, arrival: report.arrival)
    var events: [Event] = []
    switch placement {
    case .duplicate:
      self.receivers[key] = track
      if report.hasPosition, self.believes(report.device) { self.lastSign = report.arrival }
      return [.rejected(.duplicate)]
    case .next:
      // What the epoch before still held back is told first.
      events += self.release(&track)
      self.epochNumber += 1
      track.begin(Epoch(number: self.epochNumber, first: report))
    case .current:
      track.noteTime(of: report)
    }
    events += self.judge(report, &track)
    self.receivers[key] = track
    return events
  }

  /// Standard deviations came; they make the epoch of the same time better, or wait for it.
  package mutating func received(_ estimate: ErrorEstimateReport) -> [Event] {
    let key = self.key(of: estimate.device)
    var track = self.receivers[key] ?? ReceiverTrack()
    defer { self.receivers[key] = track }
    guard track.take(estimate.sound) else { return [] }
    return self.offer(&track, isFinal: false)
  }

  /// The sky came; its dilution of precision tells what the receiver's estimates are made of.
  package mutating func received(_ sky: SkyReport) {
    self.receivers[self.key(of: sky.device), default: ReceiverTrack()].errors.received(sky)
  }

  /// Where a device is kept. gpsd has six at most; what names more of them than that is no gpsd.
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
    if let deadline = self.lossDeadline, now >= deadline { events += self.lose() }
    return events
  }

  /// Judges a report that has found its epoch.
  private mutating func judge(_ report: PositionReport, _ track: inout ReceiverTrack) -> [Event] {
    guard let epoch = track.epoch else { return [] }
    guard report.mode != .noFix else {
      // A receiver that flickers within one epoch has not lost its fix.
      guard epoch.report == nil, self.believes(report.device) else {
        return [.rejected(.noFix)]
      }
      return [.rejected(.noFix)] + self.considerLoss(epoch: epoch.number, arrival: report.arrival)
    }
    guard report.status != 8 || self.settings.allowsSimulated else { return [.rejected(.simulated)] }
    guard report.hasPosition else { return [.rejected(.noPosition)] }
    track.add(report)
    return self.offer(&track, isFinal: false)
  }

  /// Tells the open epoch's fix if it can be told, or may no longer be held back.
  private mutating func offer(_ track: inout ReceiverTrack, isFinal: Bool) -> [Event] {
    guard let epoch = track.epoch, let report = epoch.report, let fix = track.fix(self.settings) else { return [] }
    if track.isTold {
      // What comes after the loss makes no fix better: there is none.
      guard self.hasFix, let told = self.current, told != fix, self.currentEpoch == epoch.number else {
        return [.rejected(.repeated)]
      }
      let isPlausible = JumpGuard.isPlausible(
        from: told, to: fix, maxSpeed: self.settings.maxSpeed, cycle: track.sorter.cycle)
      guard isPlausible else { return [.rejected(.jump)] }
      self.current = fix
      return [.improved(fix, epoch: epoch.number)]
    }
    guard isFinal || track.isComplete(fix) else {
      track.heldSince = track.heldSince ?? report.arrival
      return []
    }
    track.heldSince = nil
    let isSilent = self.isChosenSilent(at: fix.arrival)
    guard self.choice.accepts(fix, configured: self.settings.device, isChosenSilent: isSilent) else {
      return [.rejected(.otherReceiver)]
    }
    guard
      self.jumps.accepts(
        fix, epoch: epoch.number, after: self.current, maxSpeed: self.settings.maxSpeed, cycle: track.sorter.cycle)
    else {
      self.lastSign = report.arrival
      return [.rejected(.jump)]
    }
    // Fixes of two receivers may be told out of order when one was held back.
    if let current = self.current, fix.arrival < current.arrival { return [.rejected(.otherReceiver)] }
    track.isTold = true
    self.current = fix
    self.currentEpoch = epoch.number
    self.hasFix = true
    self.isLost = false
    self.lossEvidence = nil
    return [.fixed(fix, epoch: epoch.number)]
  }

  private mutating func release(_ track: inout ReceiverTrack) -> [Event] {
    guard track.heldSince != nil else { return [] }
    return self.offer(&track, isFinal: true)
  }

  private mutating func considerLoss(epoch: Int, arrival: Instant) -> [Event] {
    guard self.hasFix else { return [] }
    guard let evidence = self.lossEvidence else {
      self.lossEvidence = (epoch, arrival)
      return []
    }
    guard evidence.epoch != epoch, arrival - evidence.arrival >= Self.lossSpacing else { return [] }
    // Another receiver has a fix: its next one counts, and nothing is lost unless that does not come.
    guard self.settings.device == nil, self.hasOther(than: self.choice.chosen, at: arrival) else { return self.lose() }
    self.choice.leave()
    self.lossEvidence = nil
    return []
  }

  /// Whether another receiver than this one tells positions, in its own rhythm.
  private func hasOther(than device: String?, at moment: Instant) -> Bool {
    self.receivers.contains { key, track in key != device ?? "" && track.tellsPositions(at: moment) }
  }

  /// Whether the chosen receiver missed two of its epochs, in a rhythm that is known: there is nothing to wait for.
  private func isChosenSilent(at moment: Instant) -> Bool {
    guard let track = self.receivers[self.choice.chosen ?? ""], track.sorter.isMeasured else { return false }
    return !track.tellsPositions(at: moment)
  }

  private mutating func lose() -> [Event] {
    self.hasFix = false
    self.isLost = true
    self.lossEvidence = nil
    return [.lost]
  }
}
