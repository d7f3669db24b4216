import EventLoop
import Positioning

/// Executes what ``AssistMachine`` decides: with gpsd's connection, and with files beside the loop.
///
/// `@unchecked Sendable`: it is used only on the loop's thread, to which the other threads hand their results.
final class AssistDriver: @unchecked Sendable {
  struct Ports {
    let write: ([UInt8]) -> Void
    let askForPackets: () -> Void
    let report: (Assistance) -> Void
    /// The receiver may be turned off, or the daemon end.
    let release: () -> Void
    let log: (LogKind, LogMessage) -> Void
  }

  private let loop: EventLoop
  private let files: AssistFiles
  private let clockError: () -> Duration?
  private let ports: Ports
  private var machine: AssistMachine
  private var timer: LoopTimer?
  private var releaseTimer: LoopTimer?
  /// Work with the files, one at a time and in order.
  private var waiting = Fifo<Work>()
  private var isBusy = false
  /// The receiver is not held any more once the files are written.
  private var releasesWhenIdle = false

  /// How long the disk may hold the receiver up.
  private static let patience: Duration = .seconds(3)

  init(
    loop: EventLoop, files: AssistFiles, clockError: @escaping () -> Duration?, machine: AssistMachine, ports: Ports
  ) throws(SystemError) {
    self.loop = loop
    self.files = files
    self.clockError = clockError
    self.machine = machine
    self.ports = ports
    self.timer = try loop.timer(accuracy: .milliseconds(5)) { [weak self] in self?.handle(.deadlineReached) }
    self.releaseTimer = try loop.timer(accuracy: .milliseconds(100)) { [weak self] in self?.release() }
  }

  /// Whether the receiver must stay on, and the daemon must not end, until ``Ports/release``.
  var isHolding: Bool { self.machine.isHolding || self.releasesWhenIdle }

  func handle(_ event: AssistMachine.Event) {
    let now = self.loop.now
    let actions = self.machine.received(event, now: now) {
      AssistClock(time: self.loop.clocks.timestamp(), error: self.clockError())
    }
    for action in actions { self.perform(action) }
    if let deadline = self.machine.nextDeadline { self.timer?.arm(at: deadline) } else { self.timer?.disarm() }
  }

  private func perform(_ action: AssistMachine.Action) {
    switch action {
    case .write(let bytes): self.ports.write(bytes)
    case .askForPackets: self.ports.askForPackets()
    case .report(let assistance): self.ports.report(assistance)
    case .log(let kind, let message): self.ports.log(kind, message)
    case .load(let dialect, let time): self.run(.load(dialect, time))
    case .keep(let kept): self.run(.keep(kept))
    case .setAside: self.run(.setAside)
    case .release:
      guard self.isBusy else { return self.ports.release() }
      self.releasesWhenIdle = true
      self.releaseTimer?.arm(at: self.loop.now + Self.patience)
    }
  }

  private func release() {
    guard self.releasesWhenIdle else { return }
    self.releasesWhenIdle = false
    self.releaseTimer?.disarm()
    self.ports.release()
  }

  // MARK: Files

  private func run(_ work: Work) {
    self.waiting.append(work)
    self.runNext()
  }

  private func runNext() {
    guard !self.isBusy, let work = self.waiting.popFirst() else { return }
    self.isBusy = true
    do throws(SystemError) {
      try self.loop.performBeside(name: "assist") { [self] in
        let result = self.files.result(of: work)
        self.loop.call { self.finished(result) }
      }
    } catch {
      self.finished(.failed("the files of assisted starts cannot be used: \(error)"))
    }
  }

  private func finished(_ result: WorkResult) {
    self.isBusy = false
    switch result {
    case .loaded(let loaded): self.handle(.loaded(loaded))
    case .kept: break
    case .notKept(let reason): self.handle(.keepFailed(reason))
    case .failed(let problem): self.ports.log(.assistanceFailed, "\(problem)")
    case .setAside(let words): self.ports.log(.assistanceFailed, "\(self.files.path, .file) \(words)")
    }
    self.runNext()
    if !self.isBusy { self.release() }
  }
}

/// Work with the files, which waits for the disk.
private enum Work: Sendable {
  case load(AssistDialect, Timestamp)
  case keep(KeptAssistance)
  case setAside
}

private enum WorkResult: Sendable {
  case loaded(LoadedAssistance)
  case kept
  case notKept(String)
  case setAside(String)
  case failed(String)
}

extension AssistFiles {
  fileprivate func result(of work: Work) -> WorkResult {
    switch work {
    case .load(let dialect, let time): return .loaded(self.load(for: dialect, at: time))
    case .keep(let kept):
      do throws(SystemError) {
        try self.keep(kept)
        return .kept
      } catch {
        return .notKept("\(error)")
      }
    case .setAside: return .setAside(self.setAside())
    }
  }
}
