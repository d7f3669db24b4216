import Broker
import EventLoop
import Positioning
import TestSupport
import Testing

@testable import Server

@Suite("Turns on the loop", .timeLimit(.minutes(TestDeadline.minutes)))
struct TurnDriverTests {
  /// Connections whose work never ends, and something else that the loop has to do meanwhile.
  ///
  /// `@unchecked Sendable`: it lives on its loop's thread.
  private final class Crowd: @unchecked Sendable {
    /// How many had their slice since the loop last did something else, and at most.
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

    /// The work takes all the time that it is given. A turn that ends by nothing else ends by a count.
    private func work(_ client: ClientID, until deadline: Instant) {
      self.inTurn += 1
      self.longest = max(self.longest, self.inTurn)
      while EventLoop.readClock() < deadline {}
      if self.inTurn < 1000 { self.driver?.add(client, of: 1000, isGranted: true) }
    }

    private func doOther() {
      self.otherTurns += 1
      self.inTurn = 0
      self.loop.call { [weak self] in self?.doOther() }
    }
  }

  @Test("A turn ends in time, however much there is to do")
  func ends() async throws {
    try await withLoop { loop in
      let crowd = Crowd(of: 200, on: loop)
      try loop.drive(until: "50 turns") { crowd.otherTurns > 50 }
      // No slice is shorter than all of its time, so a turn has room for so many, and for one that is cut short.
      #expect(crowd.longest > 1)
      #expect(crowd.longest <= Int(TurnScheduler.budget / TurnScheduler.slice) + 1)
    }
  }
}
