package import EventLoop
package import Positioning

/// One epoch that the simulated receiver sent, for comparison with the output of the program under test.
package struct SentEpoch: Hashable, Sendable {
  package enum Delivery: Hashable, Sendable {
    /// The line took all of it.
    case sent
    /// Nobody read, or not fast enough: part or all of it is lost.
    case dropped
    /// It is sent in pieces, or with the next one.
    case deferred
  }

  package var epoch: Epoch
  /// When it was due.
  package var due: Instant
  package var delivery: Delivery
}

/// A simulated receiver on a pseudoterminal: for applications it replaces a receiver at a USB port.
///
/// It belongs to its loop. Tests inject faults while it runs, and compare results with `groundTruth`.
package final class SimulatedReceiver {
  /// The most epochs and bytes that are remembered; the oldest are dropped.
  private static let memory = (epochs: 20_000, bytes: 65_536)
  /// The longest pause between two pieces of one epoch.
  private static let longestGap = Duration.milliseconds(1)

  private let loop: EventLoop
  /// `nil`: the loop's.
  private let clock: FastClock?
  private let device: SimulatedDevice
  private var simulation: Simulation
  private var epochTimer: LoopTimer?
  private var faultTimer: LoopTimer?
  private var pieceTimer: LoopTimer?
  private var pendingPieces = Fifo<(due: Instant, bytes: [UInt8])>()
  private var nextEpoch: Timestamp?

  /// The epochs that were sent, oldest first.
  package private(set) var groundTruth: [SentEpoch] = []
  /// The bytes that the host wrote; only the newest are kept.
  package private(set) var receivedBytes: [UInt8] = []
  /// Called after every epoch.
  package var epochSent: (SentEpoch) -> Void = { _ in }
  /// Called when a program opened (`true`) or closed the device.
  package var openedOrClosed: (Bool) -> Void = { _ in }
  /// Called when it was plugged in (`true`) or unplugged.
  package var pluggedOrUnplugged: (Bool) -> Void = { _ in }
  /// Called when a system call failed and the receiver was unplugged.
  package var failed: (SystemError) -> Void = { _ in }

  /// A receiver that is not plugged in.
  ///
  /// - Parameters:
  ///   - link: A path that stays the same when it is unplugged and plugged in again.
  ///   - clock: The clock that it lives by, and that its logs have; `nil`: the loop's.
  package init(settings: Simulation.Settings, on loop: EventLoop, link: String? = nil, clock: FastClock? = nil) {
    self.loop = loop
    self.clock = clock
    self.device = SimulatedDevice(on: loop, link: link)
    let now = clock?.time(at: loop.now) ?? loop.now
    let wallClock = Timestamp(milliseconds: Timestamp.wallClock.milliseconds + (now - loop.now).wholeMilliseconds)
    self.simulation = Simulation(settings: settings, at: now, utc: wallClock)
  }

  private var now: Instant { self.clock?.time(at: self.loop.now) ?? self.loop.now }

  private func arm(_ timer: LoopTimer?, at time: Instant) { timer?.arm(at: self.clock?.moment(of: time) ?? time) }

  /// Plugs it in. The time of the simulation began when this was created.
  package func start() throws(SystemError) {
    self.epochTimer = try self.loop.timer(accuracy: .milliseconds(1)) { [weak self] in self?.epochDue() }
    self.faultTimer = try self.loop.timer(accuracy: .milliseconds(1)) { [weak self] in self?.faultsChanged() }
    self.pieceTimer = try self.loop.timer(accuracy: .microseconds(1)) { [weak self] in self?.writePieces() }
    try self.followPlug()
    self.armEpoch()
    self.armFaults()
  }

  /// Removes the device for good.
  package func stop() {
    self.epochTimer?.cancel()
    self.faultTimer?.cancel()
    self.pieceTimer?.cancel()
    self.device.unplug()
  }

  /// The path for programs; `nil` while it is unplugged and has no link.
  package var path: String? { self.device.path }
  package var isOpened: Bool { self.device.isOpened }
  package var isPlugged: Bool { self.device.isPlugged }
  /// The receiver's present activity.
  package func activity() -> ReceiverModel.Activity { self.simulation.activity(at: self.now) }

  /// When its engine ran.
  package var powerLog: PowerLog { self.simulation.powerLog }

  // MARK: Injected faults

  package func loseSky() { self.inject(.noSky) }
  package func regainSky() { self.lift(.noSky) }
  package func goSilent() { self.inject(.silence) }
  package func speak() { self.lift(.silence) }
  package func unplug() { self.inject(.unplug) }
  package func replug() { self.lift(.unplug) }

  /// Begins a fault that lasts until it is lifted; it replaces one of the same kind.
  package func inject(_ fault: Fault.Kind) {
    self.simulation.inject(fault, at: self.now)
    self.followPlugOrFail()
  }

  /// Ends a fault that `inject` began.
  package func lift(_ fault: Fault.Kind) {
    self.simulation.lift(fault, at: self.now)
    self.followPlugOrFail()
  }

  private func faultsChanged() {
    self.simulation.update(at: self.now)
    self.followPlugOrFail()
    self.armFaults()
  }

  private func armFaults() {
    if let change = self.simulation.nextFaultChange(after: self.now) { self.arm(self.faultTimer, at: change) }
  }

  private func followPlugOrFail() {
    do throws(SystemError) { try self.followPlug() } catch { self.failed(error) }
  }

  /// Plugs or unplugs the device as the faults require.
  private func followPlug() throws(SystemError) {
    let now = self.now
    let isWanted = !self.simulation.activeFaults(at: now).isUnplugged
    guard isWanted != self.device.isPlugged else { return }
    if isWanted {
      try self.device.plug { [weak self] event in self?.handle(event) }
      self.simulation.replugged(at: now)
    } else {
      self.device.unplug()
      self.simulation.unplugged(at: now)
    }
    self.pluggedOrUnplugged(isWanted)
  }

  // MARK: The device

  private func handle(_ event: SimulatedDevice.Event) {
    let now = self.now
    switch event {
    case .opened:
      self.simulation.deviceOpened(at: now)
      self.openedOrClosed(true)
    case .closed:
      self.simulation.deviceClosed(at: now)
      self.pendingPieces.removeAll()
      self.openedOrClosed(false)
    case .received(let bytes):
      self.receivedBytes = (self.receivedBytes + bytes).suffix(Self.memory.bytes)
      _ = self.device.write(self.simulation.received(bytes, at: now)[...])
    case .hasRoom:
      break
    case .failed(let error):
      self.failed(error)
    }
  }

  // MARK: Epochs

  private func armEpoch() {
    let next = self.simulation.nextEpoch(after: self.now)
    self.nextEpoch = next.time
    self.arm(self.epochTimer, at: next.due)
  }

  private func epochDue() {
    let now = self.now
    if let time = self.nextEpoch {
      let output = self.simulation.epochDue(time, at: now)
      let delivery = self.send(output.pieces, at: now)
      if let epoch = output.epoch {
        let sent = SentEpoch(epoch: epoch, due: now, delivery: delivery)
        if self.groundTruth.count == Self.memory.epochs { self.groundTruth.removeFirst(Self.memory.epochs / 4) }
        self.groundTruth.append(sent)
        self.epochSent(sent)
      }
    }
    self.armEpoch()
  }

  private func send(_ pieces: [[UInt8]], at now: Instant) -> SentEpoch.Delivery {
    guard self.device.isOpened else { return .dropped }
    if pieces.count == 1, self.pendingPieces.isEmpty {
      return self.device.write(pieces[0][...]) == pieces[0].count ? .sent : .dropped
    }
    let gap = min(Self.longestGap, self.simulation.settings.period / (2 * max(pieces.count, 1)))
    let start = max(now, self.pendingPieces.last?.due ?? now)
    for (index, piece) in pieces.enumerated() { self.pendingPieces.append((start + gap * index, piece)) }
    self.writePieces()
    return .deferred
  }

  private func writePieces() {
    let now = self.now
    while let next = self.pendingPieces.first, next.due <= now {
      self.pendingPieces.popFirst()
      _ = self.device.write(next.bytes[...])
    }
    if let next = self.pendingPieces.first { self.arm(self.pieceTimer, at: next.due) }
  }
}

extension Timestamp {
  /// The time of the machine's clock.
  package static var wallClock: Timestamp {
    Timestamp(milliseconds: Clocks.system.wall().wholeMilliseconds)
  }
}

/// A clock that runs faster than the loop's, so that an hour of a receiver passes in minutes.
package struct FastClock: Hashable, Sendable {
  /// When both clocks showed the same.
  package let origin: Instant
  package let factor: Int

  /// - Parameter factor: At least 1.
  package init(origin: Instant, factor: Int) {
    precondition(factor >= 1, "a clock that runs slower")
    self.origin = origin
    self.factor = factor
  }

  /// What it shows at a moment of the loop's clock.
  package func time(at moment: Instant) -> Instant { self.origin + (moment - self.origin) * self.factor }

  /// When it shows that, on the loop's clock.
  package func moment(of time: Instant) -> Instant { self.origin + (time - self.origin) / self.factor }
}
