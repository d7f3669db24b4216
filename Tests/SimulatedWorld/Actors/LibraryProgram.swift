import EventLoop
import PositionClient
import PositionProtocol
package import Positioning
import WorldSupport

/// A program on the client library: a process with a loop of its own.
package final class LibraryProgram {
  /// What the library has given it.
  package enum Heard {
    case fix(SeenFix)
    /// A request is over; its number.
    case answered(Int, SeenFix?)
    /// Its number, and whether there was no connection.
    case refused(Int, isUnreachable: Bool)
    case begun
    case disconnected
    case suspended
    case reconnected
    case over(String?)
  }

  /// A fix, as far as laws look at it.
  package struct SeenFix: Hashable, Sendable {
    package var place: Track.Place
    package var time: Timestamp?
    /// Metres; 68 %.
    package var accuracy: Double?
    package var isReduced: Bool
  }

  package let plan: LibraryPlan
  private unowned let world: World
  private var process: (loop: EventLoop, kernel: MemoryKernel)?
  private var multiplexer: RequestMultiplexer?
  private var timer: LoopTimer?
  private var asked = 0

  init(_ plan: LibraryPlan, in world: World) {
    self.plan = plan
    self.world = world
  }

  package var isRunning: Bool { self.process != nil }

  func begin() throws {
    guard self.process == nil else { return }
    let principal = Principal(uid: self.plan.uid, gid: self.plan.uid, pid: 4343, groups: [self.plan.uid])
    let process = try self.world.machine.makeLoop(as: principal)
    let multiplexer = RequestMultiplexer(
      on: process.loop, path: DaemonProcess.socket, name: self.plan.name, purpose: "a test")
    (self.process, self.multiplexer) = (process, multiplexer)
    try multiplexer.begin()
    switch self.plan.use {
    case .asks:
      self.timer = try process.loop.timer(accuracy: .milliseconds(100)) { [unowned self] in self.ask() }
      self.ask()
    case .follows(let interval), .tracks(let interval):
      var change = SubscriptionChange()
      change.minInterval = .seconds(interval)
      if case .tracks = self.plan.use {
        change.accuracy = .level(.city)
        change.replay = SubscriptionParameters.Replay.none
      }
      multiplexer.follow(PositionSubscribeRequest(change)) { [weak self] in self?.followed($0) }
    }
  }

  func end() {
    self.timer = nil
    self.multiplexer?.close()
    self.multiplexer = nil
    self.process?.loop.stop()
    self.process = nil
  }

  /// It is killed, or the machine has lost its power.
  func kill() {
    guard let kernel = self.process?.kernel else { return }
    // What it hears of its own end is nothing that anybody sees.
    (self.process, self.timer) = (nil, nil)
    kernel.kill()
    self.multiplexer = nil
  }

  /// As ``PositionClient/PositionClient/position`` does.
  private func ask() {
    guard case .asks(let every, let accuracy, let timeout) = self.plan.use, let multiplexer,
      let loop = self.process?.loop
    else { return }
    self.asked += 1
    let number = self.asked
    let deadline = loop.now + .seconds(timeout)
    self.world.observe(.libraryAsked(self, number))
    multiplexer.ask(ticket: multiplexer.makeTicket(), whileDown: .wait(until: deadline)) { connection, answer in
      let left = min(.seconds(timeout), max(.milliseconds(1), deadline - loop.now))
      return connection.request(
        PositionGetRequest(FixRequest(accuracy: .meters(accuracy), timeout: left)), then: answer)
    } then: { [weak self] (result: Result<FixResult, PositionError>) in
      guard let self, self.process != nil else { return }
      self.timer?.arm(at: loop.now + every)
      switch result {
      case .success(let result): self.hear(.answered(number, result.fix.map { SeenFix($0) }))
      case .failure(let error): self.hear(.refused(number, isUnreachable: error.isOfConnection))
      }
    }
  }

  private func followed(_ event: SubscriptionEvent<PositionSubscribeRequest>) {
    guard self.process != nil else { return }
    switch event {
    case .begun: self.hear(.begun)
    case .notified(let notification):
      guard let update = (notification as? PositionUpdateNotification)?.update else { return }
      for fix in update.fixes + (update.fix.map { [$0] } ?? []) { self.hear(.fix(SeenFix(fix))) }
    case .disconnected: self.hear(.disconnected)
    case .suspended: self.hear(.suspended)
    case .reconnected: self.hear(.reconnected)
    case .stopped(let reason): self.hear(.over("\(reason)"))
    case .over(let error): self.hear(.over(error.map { "\($0)" }))
    }
  }

  private func hear(_ heard: Heard) { self.world.observe(.libraryHeard(self, heard)) }
}

extension PositionError {
  fileprivate var isOfConnection: Bool {
    switch self {
    case .daemonNotRunning, .notAllowedToConnect, .cannotConnect, .connectionLost: true
    case .closed, .cancelled, .notPermitted, .failed, .unexpected: false
    }
  }
}

extension LibraryProgram.SeenFix {
  fileprivate init(_ fix: Fix) {
    self.init(
      place: Track.place(latitude: fix.latitude, longitude: fix.longitude), time: fix.time,
      accuracy: fix.horizontalAccuracy, isReduced: fix.isReduced)
  }
}
