package import EventLoop
package import Positioning

/// The kernel of a machine in memory, as one of its processes sees it.
///
/// `@unchecked Sendable`: it belongs to the machine's thread.
package final class MemoryKernel: Kernel, @unchecked Sendable {
  private final class Entry {
    weak var source: KernelSource?
    /// Which turn found it ready first; `nil`: it is not ready.
    var readySince: UInt64?

    init(_ source: KernelSource) { self.source = source }
  }

  private let machine: MemoryMachine
  private let principal: Principal
  private var entries: [Entry] = []
  private var signals: [Int32] = []
  private var exits: [Int32: ChildExit] = [:]
  private var found: UInt64 = 0
  /// Whether the loop has nothing left to do.
  private var isWaiting = false
  private var stoppedUntil: Instant?
  private(set) var isKilled = false

  init(on machine: MemoryMachine, as principal: Principal) {
    self.machine = machine
    self.principal = principal
  }

  // MARK: From the world

  package func send(_ signal: Int32) { self.signals.append(signal) }

  package func childEnded(_ pid: Int32, _ exit: ChildExit) { self.exits[pid] = exit }

  /// The process does not run for so long, while the rest of the world does.
  package func stop(for duration: Duration) { self.stoppedUntil = self.machine.now + duration }

  /// The process is gone, with what it has beside its loop.
  package func kill() {
    self.isKilled = true
    // What a process has open is closed when it ends, whoever still holds it here.
    for stream in self.opened { stream.stream?.close() }
    self.opened = []
  }

  private struct Opened {
    weak var stream: (any KernelStream)?
  }

  /// The streams of the process.
  private var opened: [Opened] = []

  func note(_ stream: any KernelStream) {
    if self.opened.count > 256 { self.opened.removeAll { $0.stream == nil } }
    self.opened.append(Opened(stream: stream))
  }

  /// Whether the loop has something to do, or does not know yet that it has nothing.
  var wantsTurn: Bool {
    guard self.isRunning else { return false }
    return !self.isWaiting || self.prepare()
  }

  private var isRunning: Bool { self.stoppedUntil.map { $0 <= self.machine.now } ?? true }

  /// When a turn is due at the latest.
  var nextTimer: Instant? {
    guard self.isRunning else { return self.stoppedUntil }
    return self.entries.compactMap { $0.source?.moment }.min().map { $0 + self.machine.bootedAt }
  }

  // MARK: For the loop

  package func read(_ clock: KernelClock) -> Duration { self.machine.read(clock) }

  package func randomNumber() -> UInt64 { self.machine.number() }

  package var boot: String { self.machine.boot }

  package func add(_ source: KernelSource) {
    self.entries.removeAll { $0.source?.isCancelled ?? true }
    self.entries.append(Entry(source))
    self.isWaiting = false
  }

  package func prepare() -> Bool {
    var newlyReady: [Entry] = []
    var isAnyReady = false
    for entry in self.entries {
      guard let source = entry.source, !source.isCancelled, self.finding(of: source) != nil else {
        entry.readySince = nil
        continue
      }
      isAnyReady = true
      if entry.readySince == nil { newlyReady.append(entry) }
    }
    for entry in self.machine.shuffled(newlyReady) {
      self.found += 1
      entry.readySince = self.found
    }
    return isAnyReady
  }

  package func wait(atMost limit: Duration?) -> Bool {
    self.isWaiting = true
    return self.machine.wait(atMost: limit, until: { self.prepare() }, timer: { self.nextTimer })
  }

  package func dispatch() {
    self.isWaiting = false
    var ready: (entry: Entry, since: UInt64)?
    for entry in self.entries {
      if let since = entry.readySince, since < ready?.since ?? .max { ready = (entry, since) }
    }
    guard let entry = ready?.entry, let source = entry.source, !source.isCancelled,
      let finding = self.finding(of: source)
    else {
      return
    }
    entry.readySince = nil
    switch source.subject {
    case .signal(let number): if let place = self.signals.firstIndex(of: number) { self.signals.remove(at: place) }
    case .child(let pid): self.exits[pid] = nil
    case .stream, .timer, .jobs: break
    }
    source.serve(finding)
  }

  package func perform(notBefore moment: Instant?, _ work: @escaping @Sendable () -> Void) {
    let begins = self.machine.now + self.machine.draw(self.machine.costs.work)
    self.machine.at(max(begins, moment.map { $0 + self.machine.bootedAt } ?? begins)) { [weak self] in
      if let self, !self.isKilled { work() }
    }
  }

  package func connect(to address: KernelAddress) throws(SystemError) -> any KernelStream {
    let stream = try self.machine.stream(to: address, as: self.principal)
    self.note(stream)
    return stream
  }

  package func listen(at address: KernelAddress) throws(SystemError) -> any KernelStream {
    let listener = try self.machine.listen(at: address, of: self)
    self.note(listener)
    return listener
  }

  private func finding(of source: KernelSource) -> KernelSource.Finding? {
    switch source.subject {
    case .stream(let stream):
      let found = stream.ready(for: source.interest)
      return found.isEmpty ? nil : .stream(found)
    case .timer: return source.moment.map { $0 + self.machine.bootedAt <= self.machine.now } ?? false ? .happened : nil
    case .signal(let number): return self.signals.contains(number) ? .happened : nil
    case .child(let pid): return self.exits[pid].map { .child($0) }
    case .jobs: return source.hasJobs ? .happened : nil
    }
  }
}
