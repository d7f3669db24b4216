import Positioning
import ReceiverPorts
import UBX

/// Decides how a u-blox works while it is on: at full power, or saving some where what is asked for allows it.
///
/// A search is always at full power. Power is saved after half a minute of fixes that are good enough, and no longer once one is
/// not, there is none, or somebody asks for more. What is reported is what the receiver said when it was asked. Nobody knows
/// how a daemon before this one left it, so each session begins with full power.
struct SavingMachine: Sendable {
  enum Event: Hashable, Sendable {
    /// Whether somebody needs the receiver. If nobody does, it is about to be stopped.
    case needed(Bool)
    case allowed(SavingAllowance)
    case source(SourceState)
    case devices([ReceiverDevice])
    case report(PositionReport)
    /// A message of the receiver.
    case packet(UBXFrame)
    /// gpsd refused to write; in its words.
    case refused(String)
    case deadlineReached
  }

  enum Action: Hashable, Sendable {
    case write([UInt8])
    /// Have gpsd pass on the receiver's own messages.
    case askForPackets
    case report(PowerSaving)
    case log(LogKind, LogMessage)
  }

  /// What the receiver was sent, and has not answered.
  private struct Order: Hashable {
    let mode: PowerSaving
    var attempt = 1
    var answerBy: Instant
  }

  /// How long the fixes must have been good.
  static let settling: Duration = .seconds(30)
  static let answer: Duration = .seconds(5)
  static let attempts = 3

  private let wanted: String?
  private var devices: [ReceiverDevice] = []
  private var isStreaming = false
  private var isNeeded = false
  private var allowance = SavingAllowance.none
  /// Since when its fixes have been good enough without a break.
  private var goodSince: Instant?
  /// Not to save power until then, since the fixes got too bad while it did.
  private var notBefore: Instant?
  private var pause = GrowingPause(first: .seconds(300), longest: .seconds(3600))
  /// What the receiver said last in this session.
  private var mode: PowerSaving?
  private var order: Order?
  /// The device that cannot save power.
  private var failed: String?
  private var reported = Self.initial

  /// - Parameter wanted: The configured device; `nil`: whatever gpsd has.
  init(device wanted: String?) { self.wanted = wanted }

  /// When to send `deadlineReached`.
  var nextDeadline: Instant? { self.order?.answerBy }

  /// What is reported before anything happened.
  static let initial = PowerSaving.full

  mutating func received(_ event: Event, now: Instant) -> [Action] {
    switch event {
    case .needed(let isNeeded): return self.needed(isNeeded, now: now)
    case .allowed(let allowance): self.allowance = allowance
    case .source(let source):
      self.isStreaming = source == .streaming
      if !self.isStreaming { self.forget() }
    case .devices(let devices):
      self.devices = devices
      if !devices.contains(where: { $0.path == self.failed }) { self.failed = nil }
    case .report(let report): self.judge(report, now: now)
    case .packet(let frame): return self.answered(frame, now: now) + self.settle(now: now)
    case .refused(let reason):
      // Without an order it was something else that gpsd did not write.
      return self.order == nil ? [] : self.fail("gpsd does not write to the receiver: \(reason)")
    case .deadlineReached: return self.deadlineReached(now: now)
    }
    return self.settle(now: now)
  }

  /// The path of the u-blox that gpsd writes to; `nil`: none, or nobody knows which.
  private var device: String? {
    let device = self.wanted.map { path in self.devices.first { $0.path == path } } ?? self.devices.first
    guard self.wanted != nil || self.devices.count == 1, let device,
      device.driver == ReceiverCommands.ublox.driver
    else { return nil }
    return device.path
  }

  /// The session is over, or interrupted.
  private mutating func forget() { (self.mode, self.order, self.goodSince) = (nil, nil, nil) }

  private mutating func needed(_ isNeeded: Bool, now: Instant) -> [Action] {
    self.isNeeded = isNeeded
    guard !isNeeded else { return self.settle(now: now) }
    self.allowance = .none
    self.pause.reset()
    // Its next start is a search, and its stop comes right behind this.
    let mayDrawLess = self.mode != .full || self.order != nil
    let isReachable = self.isStreaming && self.device != nil && self.failed == nil
    self.forget()
    return (mayDrawLess && isReachable ? [.write(UBXPowerMode.full.frame.bytes)] : []) + self.report()
  }

  // MARK: The choice

  private mutating func judge(_ report: PositionReport, now: Instant) {
    guard report.device == nil || report.device == self.device, report.mode != .unknown else { return }
    guard report.hasPosition, self.allowance != .none, (report.eph ?? .infinity) <= self.allowance.accuracy else {
      let isSaving = self.mode.map { $0 != .full } ?? false
      if isSaving, report.hasPosition, self.allowance != .none { self.notBefore = now + self.pause.take() }
      self.goodSince = nil
      return
    }
    self.goodSince = self.goodSince ?? now
  }

  private func choice(now: Instant) -> PowerSaving {
    guard let goodSince, now - goodSince >= Self.settling, self.notBefore.map({ now >= $0 }) ?? true
    else { return .full }
    return self.allowance.mode
  }

  private mutating func settle(now: Instant) -> [Action] {
    let choice = self.choice(now: now)
    guard self.isNeeded, self.isStreaming, self.failed == nil, self.device != nil, self.order?.mode != choice,
      self.order != nil || self.mode != choice
    else { return self.report() }
    return self.send(Order(mode: choice, answerBy: now + Self.answer)) + self.report()
  }

  // MARK: The receiver

  private mutating func send(_ order: Order) -> [Action] {
    self.order = order
    // Until it has answered nobody knows.
    self.mode = nil
    return [.askForPackets, .write(order.mode.ubx.frame.bytes + UBXPowerMode.poll.bytes)]
  }

  private mutating func answered(_ frame: UBXFrame, now: Instant) -> [Action] {
    guard let order else { return [] }
    if UBXPowerMode.isRefusal(frame) {
      return self.fail("the receiver refuses UBX-CFG-PMS, as those before the eighth generation and after the ninth do")
    }
    guard let answer = UBXPowerMode(frame), answer == order.mode.ubx else { return [] }
    self.order = nil
    self.mode = order.mode
    return []
  }

  private mutating func deadlineReached(now: Instant) -> [Action] {
    guard var order, now >= order.answerBy else { return [] }
    guard order.attempt >= Self.attempts else {
      order.attempt += 1
      order.answerBy = now + Self.answer
      return self.send(order)
    }
    return self.fail("the receiver does not confirm UBX-CFG-PMS")
  }

  /// It is left at full power, as far as it obeys at all.
  private mutating func fail(_ problem: String) -> [Action] {
    guard let device, self.failed == nil else { return [] }
    let wasSaving = self.order.map { $0.mode != .full } ?? (self.mode != .full)
    self.failed = device
    (self.order, self.mode) = (nil, nil)
    return (wasSaving ? [.write(UBXPowerMode.full.frame.bytes)] : [])
      + [.log(.powerSavingFailed, "the receiver saves no power while it is on: \(problem)")] + self.report()
  }

  private mutating func report() -> [Action] {
    let saving = self.failed == nil ? self.mode ?? .full : .impossible
    guard saving != self.reported else { return [] }
    self.reported = saving
    let log = Action.log(.powerSavingChanged, "how the receiver works while it is on: \(saving.rawValue)")
    return [.report(saving)] + (saving == .impossible ? [] : [log])
  }
}

extension PowerSaving {
  fileprivate var ubx: UBXPowerMode {
    switch self {
    case .full, .impossible: .full
    case .balanced: .balanced
    case .oneHertz: .oneHertz
    }
  }
}
