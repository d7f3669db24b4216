package import EventLoop
import Glibc
package import Positioning

/// A machine in memory, for programs that live in their loops alone: its clocks, what will happen on it, and its processes.
///
/// Nothing happens unless `run` lets it, and all that is left to chance follows from the seed. Time passes because somebody
/// reads a clock, which costs some, or because nobody has anything to do before the next moment. The machine, its loops and
/// its streams belong to one thread.
package final class MemoryMachine {
  /// How long things take. Each time is drawn between its bounds.
  package struct Costs: Sendable {
    package var readingClock: ClosedRange<Duration> = .nanoseconds(20) ... .microseconds(2)
    package var delivery: ClosedRange<Duration> = .microseconds(5) ... .milliseconds(2)
    /// Until work beside a loop begins.
    package var work: ClosedRange<Duration> = .microseconds(20) ... .milliseconds(20)
    /// Reads and writes of streams are short with the chance of one in so many; `nil`: never.
    package var shortTransfers: Int? = 4

    package init() {}
  }

  private struct Event {
    let moment: Instant
    /// Decides between events of one moment.
    let lot: UInt64
    let work: () -> Void
  }

  private struct Process {
    let kernel: MemoryKernel
    weak var loop: EventLoop?
  }

  package var costs = Costs()
  /// The identifier of the boot.
  package var boot: String { "boot \(self.boots) of seed \(self.seed)" }
  private let seed: UInt64
  private var boots = 1
  /// What the clock since the first boot shows. Reading it here costs nothing.
  package private(set) var now: Instant
  /// What it showed when the machine booted last.
  private(set) var bootedAt: Duration = .zero
  private var slept: Duration = .zero
  /// What the wall clock shows more than the clock since boot.
  private var wallOffset: Duration
  private var random: SeededRandom
  /// The next one last.
  private var events: [Event] = []
  private var processes: [Process] = []
  private var listeners: [KernelAddress: MemoryListener] = [:]

  /// - Parameter wall: What the wall clock shows at the beginning, since 1970.
  package init(
    seed: UInt64, sinceBoot: Duration = .seconds(100), wall: Duration = .seconds(1_767_225_600)
  ) {
    self.random = SeededRandom(seed: seed)
    self.now = Instant(sinceBoot: sinceBoot)
    self.wallOffset = wall - sinceBoot
    self.seed = seed
  }

  /// What the clock since boot shows.
  package var sinceBoot: Duration { self.now.sinceBoot - self.bootedAt }

  /// What the wall clock shows.
  package var wall: Duration { self.now.sinceBoot + self.wallOffset }

  // MARK: Processes

  /// Makes a loop of a process.
  ///
  /// - Parameter principal: Who the process is for those to whom it connects.
  package func makeLoop(as principal: Principal) throws(SystemError) -> (loop: EventLoop, kernel: MemoryKernel) {
    let kernel = MemoryKernel(on: self, as: principal)
    let loop = try EventLoop(in: kernel)
    self.processes.append(Process(kernel: kernel, loop: loop))
    return (loop, kernel)
  }

  // MARK: Time

  /// Lets everybody go on.
  ///
  /// - Returns: Whether the condition held before the moment was reached.
  package func run(until moment: Instant, or isDone: () -> Bool = { false }) throws(SystemError) -> Bool {
    while !isDone() {
      self.letHappen()
      if try self.letProcessRun() { continue }
      let next = [self.events.last?.moment, self.nextTimer].compactMap { $0 }.min()
      guard let next, next <= moment else {
        self.pass(until: moment)
        return isDone()
      }
      self.pass(until: next)
    }
    return true
  }

  package func run(for duration: Duration) throws(SystemError) {
    _ = try self.run(until: self.now + duration)
  }

  /// The machine sleeps: nothing runs, and only the clock since boot and the wall clock go on.
  package func suspend(for duration: Duration) {
    self.now = self.now + duration
    self.slept += duration
  }

  /// Somebody sets the wall clock.
  package func stepWallClock(by duration: Duration) { self.wallOffset += duration }

  /// The machine boots again: its clocks since boot begin anew. Its processes must be gone.
  package func restart() {
    self.boots += 1
    self.bootedAt = self.now.sinceBoot - .seconds(5)
    self.slept = .zero
  }

  func read(_ clock: KernelClock) -> Duration {
    self.now = self.now + self.draw(self.costs.readingClock)
    return switch clock {
    case .boot: self.now.sinceBoot - self.bootedAt
    case .monotonic: self.now.sinceBoot - self.bootedAt - self.slept
    case .wall: self.wall
    }
  }

  /// Waits as one process: others do not run meanwhile.
  func wait(atMost limit: Duration?, until isReady: () -> Bool, timer: () -> Instant?) -> Bool {
    let end = limit.map { self.now + $0 }
    while true {
      self.letHappen()
      if isReady() { return true }
      let next = [self.events.last?.moment, timer(), end].compactMap { $0 }.min()
      guard let next else { preconditionFailure("a process waits for something that cannot happen") }
      if let end, self.now >= end { return false }
      self.pass(until: next)
    }
  }

  private func pass(until moment: Instant) { self.now = max(self.now, moment) }

  private var nextTimer: Instant? { self.processes.compactMap(\.kernel.nextTimer).min() }

  private func letHappen() {
    while let next = self.events.last, next.moment <= self.now {
      self.events.removeLast()
      next.work()
    }
  }

  private func letProcessRun() throws(SystemError) -> Bool {
    self.processes.removeAll { $0.kernel.isKilled || ($0.loop?.isStopped ?? true) }
    let ready = self.processes.filter(\.kernel.wantsTurn)
    guard let loop = ready.randomElement(using: &self.random)?.loop else { return false }
    _ = try loop.runOnce(timeout: .zero)
    return true
  }

  // MARK: Events

  /// Does something later, in the order of the moments; the order within one moment is drawn.
  package func after(_ delay: Duration, _ work: @escaping () -> Void) { self.at(self.now + delay, work) }

  package func at(_ moment: Instant, _ work: @escaping () -> Void) {
    let event = Event(moment: moment, lot: self.random.next(), work: work)
    let place = self.events.firstIndex { ($0.moment, $0.lot) <= (event.moment, event.lot) } ?? self.events.endIndex
    self.events.insert(event, at: place)
  }

  // MARK: Chance

  func number() -> UInt64 { self.random.next() }

  func draw(_ bounds: ClosedRange<Duration>) -> Duration {
    bounds.lowerBound + (bounds.upperBound - bounds.lowerBound) * Double.random(in: 0...1, using: &self.random)
  }

  /// How many bytes of so many are read or written at once.
  func portion(of count: Int) -> Int {
    guard count > 1, let chance = self.costs.shortTransfers, Int.random(in: 0..<chance, using: &self.random) == 0 else {
      return count
    }
    return Int.random(in: 1..<count, using: &self.random)
  }

  func shuffled<Element>(_ elements: [Element]) -> [Element] { elements.shuffled(using: &self.random) }

  // MARK: Sockets

  /// Listens for a part of the world that has no loop.
  ///
  /// - Parameter accepted: Gets the world's end of each connection.
  package func listen(at address: KernelAddress, accepted: @escaping (MemoryPeer) -> Void) {
    let listener = MemoryListener(on: self, at: address)
    listener.accepted = { accepted(MemoryPeer($0, on: self)) }
    self.listeners[address] = listener
  }

  /// Nobody listens there any more.
  package func stopListening(at address: KernelAddress) { self.listeners[address]?.close() }

  /// Connects from a part of the world that has no loop.
  ///
  /// - Throws: `ECONNREFUSED` if nobody listens at the address.
  package func connect(to address: KernelAddress, as principal: Principal) throws(SystemError) -> MemoryPeer {
    MemoryPeer(try self.stream(to: address, as: principal), on: self)
  }

  func listen(at address: KernelAddress, of kernel: MemoryKernel) throws(SystemError) -> MemoryListener {
    guard self.listeners[address] == nil else { throw SystemError(code: EADDRINUSE, call: "listen") }
    let listener = MemoryListener(on: self, at: address, of: kernel)
    self.listeners[address] = listener
    return listener
  }

  func closed(_ listener: MemoryListener) {
    if self.listeners[listener.address] === listener { self.listeners[listener.address] = nil }
  }

  /// A Unix socket is connected at once or not at all; TCP takes a moment.
  func stream(to address: KernelAddress, as principal: Principal) throws(SystemError) -> MemoryStream {
    let there = Channel()
    let back = Channel()
    let near = MemoryStream(on: self, address.family, incoming: back, outgoing: there, peer: nil)
    let far = MemoryStream(on: self, address.family, incoming: there, outgoing: back, peer: principal)
    near.other = far
    far.other = near
    switch address {
    case .path:
      guard let listener = self.listeners[address] else { throw SystemError(code: ECONNREFUSED, call: "connect") }
      near.connected(nil)
      far.connected(nil)
      listener.add(far)
    case .port:
      // Both ends live in the event until then.
      self.after(self.draw(self.costs.delivery)) { [weak near] in
        guard let near, !near.isClosed else { return }
        guard let listener = self.listeners[address] else {
          return near.connected(SystemError(code: ECONNREFUSED, call: "connect"))
        }
        near.connected(nil)
        far.connected(nil)
        listener.add(far)
      }
    }
    return near
  }
}

extension KernelAddress {
  fileprivate var family: MemoryStream.Family {
    switch self {
    case .path: .unix
    case .port: .tcp
    }
  }
}
