import Broker
import EventLoop
import Positioning
import Synchronization
import TestSupport
import Testing

@testable import Store

/// The broker's decisions, the queue and the real tables together, with a disk that stalls, and a daemon that is
/// killed.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct StallTests {
  private static let home = Region(
    id: "home", shape: .circle(center: Coordinate(latitude: 50, longitude: 8), radius: 100))

  @Test("After a refused first registration on a stalled disk, an answered second one survives a kill")
  func secondTry() async throws {
    try await withLoop { loop in
      let fixture = try StoreFixture()
      do {
        let daemon = try StoringDaemon(fixture, on: loop, room: 3)
        daemon.gate.close()
        let (filling, refused) = (DurableRequest(name: "filling"), DurableRequest(name: "tracker"))
        let first = daemon.call(.subscribeVisits(durable: filling))
        let second = daemon.call(.addRegion(Self.home, durable: refused))
        #expect(daemon.answers[first] == nil)
        guard case .failed(.notStored)? = daemon.answers[second] else {
          Issue.record("\(String(describing: daemon.answers[second]))")
          return
        }
        daemon.gate.open()
        try loop.drive(until: "the first") { daemon.answers[first] != nil }
        let third = daemon.call(.addRegion(Self.home, durable: refused))
        try loop.drive(until: "the second try") { daemon.answers[third] != nil }
        #expect(daemon.answers[third] == .region(.unknown, warning: nil))
        daemon.kill()
      }
      let names = try fixture.state(now: Clocks.system.sinceBoot()).names
      #expect(names.map(\.id.name) == ["filling", "tracker"])
      #expect(names.last?.regions.map(\.region) == [Self.home])
    }
  }
}

/// The broker and its store, without clients and a receiver.
///
/// `@unchecked Sendable`: it belongs to its loop.
private final class StoringDaemon: @unchecked Sendable {
  let gate = Gate()
  private(set) var answers: [CallID: Answer] = [:]
  private var machine: BrokerMachine
  private var queue: StoreQueue?
  private var serial: UInt64 = 0
  private var underWay = 0
  private let client = ClientID(1)

  init(_ fixture: StoreFixture, on loop: EventLoop, room: Int) throws {
    let (tables, state) = try fixture.open(now: Clocks.system.sinceBoot())
    var settings = BrokerSettings.open
    settings.maxUnstored = room
    self.machine = BrokerMachine(settings: settings, stored: state, now: Clocks.system.sinceBoot())
    let queue = try StoreQueue(loop: loop, tables: StallingTables(tables, self.gate)) { _, _ in }
    queue.onError = { [unowned self] in self.handle(.storeChanged(error: $0)) }
    self.queue = queue
    self.handle(.clientConnected(self.client, Principal(uid: 1000, gid: 100, pid: 1, user: "user1000")))
    try loop.drive(until: "what it keeps first") { self.underWay == 0 }
  }

  func call(_ what: Call) -> CallID {
    self.serial += 1
    let call = CallID(client: self.client, serial: self.serial)
    self.handle(.called(call, what))
    return call
  }

  /// Nothing more is committed, and no client gets anything.
  func kill() { self.queue = nil }

  private func handle(_ event: BrokerEvent) {
    for action in self.machine.handle(event, now: Clocks.system.sinceBoot()) {
      switch action {
      case .answer(let call, let answer): self.answers[call] = answer
      case .store(let number, let changes):
        self.underWay += 1
        self.queue?.store(changes) { [unowned self] in
          self.underWay -= 1
          self.handle(.stored(number))
        } refused: { [unowned self] in
          self.handle(.stored(number, error: $0))
        }
      default: break
      }
    }
  }
}

/// The real tables behind a gate.
private final class StallingTables: ChangeTables {
  private let tables: StoreTables
  private let gate: Gate

  init(_ tables: StoreTables, _ gate: Gate) {
    self.tables = tables
    self.gate = gate
  }

  func make(_ changes: [StoreChange]) throws(StoreError) {
    self.gate.pass()
    try self.tables.make(changes)
  }

  func copyPermission() throws(StoreError) { try self.tables.copyPermission() }

  func keepAside(_ changes: [StoreChange]) throws(StoreError) { try self.tables.keepAside(changes) }

  func tidy() throws(StoreError) { try self.tables.tidy() }
}

/// Closed while commits wait.
private final class Gate: Sendable {
  private let latch: Mutex<Latch>

  init() {
    self.latch = Mutex(Latch())
    self.open()
  }

  func close() { self.latch.withLock { $0 = Latch() } }
  func open() { self.latch.withLock { $0 }.open() }
  func pass() { self.latch.withLock { $0 }.wait() }
}
