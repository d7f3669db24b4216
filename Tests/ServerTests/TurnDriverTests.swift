import Broker
import EventLoop
import Positioning
import TestSupport
import Testing

@testable import Server

@Suite("Turns on the loop", .timeLimit(.minutes(TestDeadline.minutes)))
struct TurnDriverTests {
  /// Connections with endless work, and other work of the loop meanwhile.
  ///
  /// `@unchecked Sendable`: it belongs to its loop's thread.
  private final class BusyConnections: @unchecked Sendable {
    /// How many had their slice since the loop last did other work, and the maximum.
    private(set) var longest = 0
    private(set) var otherTurns = 0
    private var inTurn = 0
    private var driver: TurnDriver?
    private let loop: EventLoop

    init(of clients: Int, on loop: EventLoop) {
      self.loop = loop
      let driver = TurnDriver(loop: loop) { [unowned self] in self.work($0, until: $1) }
      self.driver = driver
      for client in 1...clients { driver.add(ClientID(UInt64(client)), of: 1000, isGranted: true) }
      self.doOther()
    }

    /// The work takes all its time. A turn that never ends otherwise ends by a count.
    private func work(_ client: ClientID, until deadline: Instant) {
      self.inTurn += 1
      self.longest = max(self.longest, self.inTurn)
      while Clocks.system.sinceBoot() < deadline {}
      if self.inTurn < 1000 { self.driver?.add(client, of: 1000, isGranted: true) }
    }

    private func doOther() {
      self.otherTurns += 1
      self.inTurn = 0
      self.loop.call { [weak self] in self?.doOther() }
    }
  }

  @Test("A turn ends in time, however much work there is")
  func ends() async throws {
    try await withLoop { loop in
      let connections = BusyConnections(of: 200, on: loop)
      try loop.drive(until: "50 turns") { connections.otherTurns > 50 }
      // No slice is shorter than all of its time, so a turn has room for so many, and for one that is cut short.
      #expect(connections.longest > 1)
      #expect(connections.longest <= Int(TurnScheduler.budget / TurnScheduler.slice) + 1)
    }
  }
}

@Suite("Connections that the loop finds ready", .timeLimit(.minutes(TestDeadline.minutes)))
struct TurnDriverServingTests {
  /// Connections whose work takes all its time, and a record of their slices.
  ///
  /// `@unchecked Sendable`: it belongs to its loop's thread.
  private final class Record: @unchecked Sendable {
    private(set) var served: [UInt64] = []
    private(set) var longestSlice: Duration = .zero
    /// Other events while the first connection works.
    var during: () -> Void = {}
    private var opened: TurnDriver?

    init(on loop: EventLoop) {
      self.opened = TurnDriver(loop: loop) { [unowned self] in self.work($0, until: $1) }
    }

    var driver: TurnDriver {
      guard let opened else { preconditionFailure("the driver is made with the record") }
      return opened
    }

    func serve(_ client: UInt64) { self.driver.serve(ClientID(client), of: 1000, isGranted: true) }
    func add(_ client: UInt64) { self.driver.add(ClientID(client), of: 1000, isGranted: true) }

    private func work(_ client: ClientID, until deadline: Instant) {
      self.longestSlice = max(self.longestSlice, deadline - Clocks.system.sinceBoot())
      let during = self.during
      self.during = {}
      during()
      while Clocks.system.sinceBoot() < deadline {}
      self.served.append(client.value)
    }
  }

  @Test("A lone connection is served at once, for one slice until the loop has done other work")
  func atOnce() async throws {
    try await withLoop { loop in
      let record = Record(on: loop)
      for round in 0..<3 as Range<UInt64> {
        record.serve(10 * round + 1)
        #expect(record.served.last == 10 * round + 1, "it was not served within the call")
        record.serve(10 * round + 2)
        #expect(record.served.last == 10 * round + 1, "it was served beyond the slice")
        try loop.drive(until: "the second") { record.served.last == 10 * round + 2 }
      }
    }
  }

  @Test("If others wait, a connection that becomes ready is served after them")
  func behind() async throws {
    try await withLoop { loop in
      let record = Record(on: loop)
      record.add(1)
      record.serve(2)
      #expect(record.served.isEmpty)
      try loop.drive(until: "both") { record.served.count == 2 }
      #expect(record.served == [1, 2])
    }
  }

  @Test("A connection that becomes ready during another's slice waits until that ends")
  func during() async throws {
    try await withLoop { loop in
      let record = Record(on: loop)
      record.during = {
        record.serve(2)
        record.add(3)
      }
      record.serve(1)
      try loop.drive(until: "all") { record.served.count == 3 }
      #expect(record.served == [1, 2, 3])
    }
  }

  @Test("No connection gets more than a slice at a time, and those without room are served in the next turn")
  func slice() async throws {
    try await withLoop { loop in
      let record = Record(on: loop)
      let count = 3 * Int(TurnScheduler.budget / TurnScheduler.slice)
      for client in 1...UInt64(count) { record.add(client) }
      try loop.drive(until: "all") { record.served.count == count }
      #expect(record.served == Array(1...UInt64(count)))
      #expect(record.longestSlice <= TurnScheduler.slice)
    }
  }
}
