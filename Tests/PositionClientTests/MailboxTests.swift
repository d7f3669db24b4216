import PositionProtocol
import Testing

@testable import PositionClient

/// The buffer between the daemon and the reader.
struct MailboxTests {
  private static func mailbox(capacity: Int) -> Mailbox<[Int]> {
    Mailbox(capacity: capacity) { oldest, next in next = oldest + next }
  }

  @Test("A late reader gets the newest, and the number of updates that were dropped")
  func overflow() async throws {
    let mailbox = Self.mailbox(capacity: 2)
    for number in 1...5 { mailbox.put([number]) }
    #expect(try await mailbox.next() == [1, 2, 3, 4])
    #expect(try await mailbox.next() == [5])
  }

  @Test("The newest change of the connection is delivered however late the reader is")
  func connection() async throws {
    let mailbox = Self.mailbox(capacity: 1)
    for number in 1...3 {
      mailbox.put([number * 10], as: .disconnection)
      mailbox.put([number * 10 + 1], as: .reconnection)
      mailbox.put([number])
    }
    mailbox.put([4])
    mailbox.finish(nil)
    var taken: [[Int]] = []
    while let element = try await mailbox.next() { taken.append(element) }
    #expect(taken == [[30], [31], [1, 2, 3, 4]])
  }

  @Test("What is withheld is not delivered and does not count as dropped, and what may be known stays in its order")
  func withheld() async throws {
    let mailbox = Self.mailbox(capacity: 10)
    for number in 1...6 { mailbox.put([number]) }
    mailbox.withhold { $0[0] % 2 == 1 }
    mailbox.finish(nil)
    var taken: [[Int]] = []
    while let element = try await mailbox.next() { taken.append(element) }
    #expect(taken == [[2], [4], [6]])
  }

  @Test("A status that replaces several has the parts that changed in any of them")
  func parts() {
    var newest = StatusUpdate(changed: [.power, .gpsd])
    newest.passOver(StatusUpdate(changed: [.clients, .power]))
    #expect(newest.changed == [.power, .gpsd, .clients])
  }

  @Test("Positions count the updates that they replace")
  func dropped() {
    var newest = PositionUpdate(availability: .available, dropped: 2)
    newest.passOver(PositionUpdate(availability: .available, dropped: 3))
    #expect(newest.dropped == 6)
  }

  @Test("Waiting updates come before the end; an error is thrown once")
  func end() async throws {
    let mailbox = Self.mailbox(capacity: 2)
    mailbox.put([1])
    mailbox.finish(.closed)
    mailbox.finish(nil)
    mailbox.put([2])
    #expect(try await mailbox.next() == [1])
    await #expect(throws: PositionError.closed) { try await mailbox.next() }
    #expect(try await mailbox.next() == nil)
  }

  @Test("A waiting reader is resumed by an update, by the end, and by its cancellation", arguments: [0, 1, 2])
  func waking(how: Int) async throws {
    let mailbox = Self.mailbox(capacity: 2)
    let task = Task { try await mailbox.next() }
    switch how {
    case 0: mailbox.put([1])
    case 1: mailbox.finish(nil)
    default: task.cancel()
    }
    #expect(try await task.outcome == (how == 0 ? [1] : nil))
  }
}
