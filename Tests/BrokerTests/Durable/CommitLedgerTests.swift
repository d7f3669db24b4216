import Positioning
import TestSupport
import Testing

@testable import Broker

/// Changes on their way to the disk, and those that wait for room.
@Suite struct CommitLedgerTests {
  private static let change = StoreChange.putEnabled(true)

  private static func call(_ serial: UInt64) -> CallID { CallID(client: ClientID(1), serial: serial) }

  private static func answer(_ serial: UInt64) -> Follower { .answer(Self.call(serial), .enabled(true)) }

  @Test("Actions run in order, once all earlier changes are stored")
  func order() {
    var ledger = CommitLedger(limit: 10)
    let first = ledger.add([Self.change], then: [Self.answer(1)], now: at(0))
    let second = ledger.add([Self.change], then: [Self.answer(2)], now: at(0))
    ledger.append([Self.answer(3)], now: at(0))
    #expect(second > first)
    #expect(ledger.stored(first) == [Self.answer(1)])
    #expect(!ledger.isEmpty)
    #expect(ledger.stored(second) == [Self.answer(2), Self.answer(3)])
    #expect(ledger.isEmpty && ledger.nextDeadline == nil && ledger.waitingCalls.isEmpty)
  }

  @Test("There is room until the limit is reached, and again when enough is stored")
  func room() {
    var ledger = CommitLedger(limit: 3)
    #expect(ledger.denial == nil)
    var numbers: [UInt64] = []
    for _ in 0..<3 { numbers.append(ledger.add([Self.change], then: [], now: at(0))) }
    #expect(!ledger.hasRoom)
    #expect(ledger.denial == "the disk does not keep up with what is to be kept")
    _ = ledger.stored(numbers[0])
    #expect(ledger.hasRoom && ledger.denial == nil)
    ledger.setError("the disk is full")
    #expect(ledger.denial == "the disk is full")
  }

  @Test("Actions for a client are held behind held ones for the same client, and no others are")
  func followers() {
    var ledger = CommitLedger(limit: 10)
    ledger.hold([Self.answer(1), .count(.permission(1))], now: at(0))
    let other = Follower.answer(CallID(client: ClientID(2), serial: 1), .enabled(true))
    let later = Follower.count(.permission(2))
    #expect(ledger.holdFollowers(of: [Self.answer(2), other, later], now: at(0)) == [other, later])
    #expect(ledger.takeHeld() == [Self.answer(1), .count(.permission(1)), Self.answer(2)])
    #expect(ledger.holdFollowers(of: [Self.answer(3)], now: at(0)) == [Self.answer(3)])
  }

  @Test("A call that waits for the disk for half a minute is answered then, and not again")
  func overdue() {
    var ledger = CommitLedger(limit: 10)
    let number = ledger.add([Self.change], then: [Self.answer(1), .reportWhenTaken(ClientID(1))], now: at(100))
    #expect(ledger.nextDeadline == at(130))
    #expect(ledger.overdue(now: at(129)).isEmpty)
    #expect(ledger.overdue(now: at(130)) == [Self.call(1)])
    #expect(ledger.denial == "the disk has taken nothing for 30 s")
    #expect(ledger.overdue(now: at(131)).isEmpty && ledger.nextDeadline == nil)
    #expect(ledger.stored(number) == [.reportWhenTaken(ClientID(1))])
    #expect(ledger.denial == nil)
  }

  @Test("Held actions have the same deadline, and follow the changes to which they are added")
  func held() {
    var ledger = CommitLedger(limit: 10)
    ledger.hold([Self.answer(1)], now: at(0))
    ledger.hold([Self.answer(2)], now: at(20))
    #expect(ledger.overdue(now: at(30)) == [Self.call(1)])
    #expect(ledger.takeHeld() == [Self.answer(2)])
    #expect(ledger.takeHeld().isEmpty && ledger.nextDeadline == nil)
  }

  @Test("Reduced fixes can be taken before their changes are stored, and the rest goes on waiting")
  func reducedFixes() {
    let place = LocationFuzzer.Snapshot(east: 1, north: 2, drifted: at(0))
    var ledger = CommitLedger(limit: 10)
    let reduced = AwaitedChange.reducedFix(fix(1, 0), of: fix(1, 10), kept: place, epoch: 1)
    let number = ledger.add([Self.change], then: [.count(reduced), Self.answer(1)], now: at(0))
    ledger.hold([.count(reduced), .count(.permission(1))], now: at(0))
    #expect(ledger.takeReducedFixes() == [reduced, reduced])
    #expect(ledger.takeReducedFixes().isEmpty && ledger.awaitsChanges)
    #expect(ledger.stored(number) == [Self.answer(1)])
    #expect(ledger.takeHeld() == [.count(.permission(1))])
    #expect(!ledger.awaitsChanges)
  }

  @Test("Each subject is in the catch-up list once, oldest first")
  func owed() {
    var list = CatchUpList()
    for uid in [1, 2, 1, 3, 2] as [UInt32] { list.insert(.decision(uid)) }
    #expect(list.contains(.decision(3)))
    #expect((0..<3).map { _ in list.removeFirst() } == [.decision(1), .decision(2), .decision(3)])
    #expect(list.isEmpty && list.removeFirst() == nil)
    list.insert(.decision(1))
    #expect(!list.isEmpty)
  }
}
