import Positioning
import TestSupport
import Testing

@testable import Broker

/// Changes on their way to the disk, and those that wait for room.
@Suite struct CommitsTests {
  private static let change = StoreChange.putEnabled(true)

  private static func call(_ serial: UInt64) -> CallID { CallID(client: ClientID(1), serial: serial) }

  private static func answer(_ serial: UInt64) -> Follower { .answer(Self.call(serial), .enabled(true)) }

  private static func decision(_ number: UInt64, waiter: Permissions.Waiter? = nil) -> Follower {
    .decide(PendingDecision(subject: .masterSwitch, number: number, waiter: waiter))
  }

  private static let waiter = Permissions.Waiter.enabled(Asker(Self.call(9), By()), true)

  @Test("Actions run in order, once all earlier changes are stored")
  func order() {
    var commits = Commits(limit: 10)
    let first = commits.turn([Self.change], [Self.answer(1)])
    let second = commits.turn([Self.change], [Self.answer(2)])
    #expect(commits.turn([], [Self.answer(3)]) == nil)
    #expect(second ?? 0 > first ?? 0)
    #expect(commits.stored(first ?? 0) == [Self.answer(1)])
    #expect(!commits.isEmpty)
    #expect(commits.stored(second ?? 0) == [Self.answer(2), Self.answer(3)])
    #expect(commits.isEmpty && commits.nextDeadline == nil && commits.waitingCalls.isEmpty)
  }

  @Test("What follows nothing follows at once")
  func atOnce() {
    var commits = Commits(limit: 10)
    commits.follow(Self.answer(1))
    commits.follow(Self.answer(0), at: 0)
    let (batch, followers) = commits.commit(now: at(0))
    #expect(batch == nil && followers == [Self.answer(0), Self.answer(1)] && commits.nextDeadline == nil)
  }

  @Test("There is room until the limit is reached, and again when enough is stored")
  func room() {
    var commits = Commits(limit: 3)
    #expect(commits.denial == nil)
    let numbers = (0..<3).map { _ in commits.turn([Self.change], []) ?? 0 }
    #expect(!commits.hasRoom)
    #expect(commits.denial == "the disk does not keep up with what is to be kept")
    _ = commits.stored(numbers[0])
    #expect(commits.hasRoom && commits.denial == nil)
    commits.setError("the disk is full", now: at(0))
    #expect(commits.denial == "the disk is full")
  }

  @Test("Actions for a client are held behind held ones for the same client, and no others are")
  func followers() {
    var commits = Commits(limit: 1)
    let first = commits.turn([Self.change], [])
    // There is no room for it.
    commits.turn([.putDecision(1, Decision(user: "ada", level: nil, at: at(0)))], [Self.answer(1), Self.decision(1)])
    let other = Follower.answer(CallID(client: ClientID(2), serial: 1), .enabled(true))
    commits.turn([], [Self.answer(2), other, Self.decision(2)])
    #expect(commits.stored(first ?? 0) == [other, Self.decision(2)])
    #expect(commits.takeOwed() == .decision(1))
    commits.catchUp(with: [.removeDecision(1)])
    let second = commits.turn([], [Self.answer(3)])
    #expect(commits.stored(second ?? 0) == [Self.answer(1), Self.decision(1), Self.answer(2), Self.answer(3)])
  }

  @Test("A call that waits for the disk for half a minute is answered then, and not again")
  func overdue() {
    var commits = Commits(limit: 10)
    let number = commits.turn([Self.change], [Self.answer(1), .reportWhenTaken(ClientID(1))], now: at(100))
    #expect(commits.nextDeadline == at(130))
    #expect(commits.takeOverdue(now: at(129)).calls.isEmpty)
    #expect(commits.takeOverdue(now: at(130)).calls == [Self.call(1)])
    #expect(commits.denial == "the disk has taken nothing for 30 s")
    #expect(commits.takeOverdue(now: at(131)).calls.isEmpty && commits.nextDeadline == nil)
    #expect(commits.stored(number ?? 0) == [.reportWhenTaken(ClientID(1))])
    #expect(commits.denial == nil)
  }

  @Test("Who waits for a decision learns after 5 s that the disk is slow, and the disk has its half minute")
  func decisions() {
    var commits = Commits(limit: 10)
    let number = commits.turn([Self.change], [Self.decision(1, waiter: Self.waiter)], now: at(100))
    #expect(commits.nextDeadline == at(105))
    #expect(commits.takeOverdue(now: at(105)).decisions.map(\.waiter) == [Self.waiter])
    #expect(commits.denial == nil && commits.nextDeadline == at(130))
    #expect(commits.takeOverdue(now: at(130)).decisions.isEmpty)
    #expect(commits.denial == "the disk has taken nothing for 30 s")
    #expect(commits.stored(number ?? 0) == [Self.decision(1)])
  }

  @Test("A call waits for half a minute at most, also if its change waits for room")
  func held() {
    var commits = Commits(limit: 1)
    let first = commits.turn([Self.change], [], now: at(0))
    commits.turn([.removeDecision(1)], [Self.answer(1)], now: at(0))
    commits.turn([.removeDecision(2)], [Self.answer(2)], now: at(20))
    _ = commits.stored(first ?? 0)
    while commits.takeOwed() != nil {}
    commits.catchUp(with: [.removeDecision(1), .removeDecision(2)])
    let second = commits.turn([], [], now: at(25))
    #expect(commits.takeOverdue(now: at(30)).calls == [Self.call(1)])
    #expect(commits.stored(second ?? 0) == [Self.answer(2)])
    #expect(commits.nextDeadline == nil)
  }

  @Test("Reduced fixes can be taken before their changes are stored, and the rest goes on waiting")
  func reducedFixes() {
    let place = LocationFuzzer.Snapshot(east: 1, north: 2, drifted: at(0))
    var commits = Commits(limit: 1)
    let reduced = PendingReducedFix(reduced: fix(1, 0), fix: fix(1, 10), kept: place, epoch: 1)
    let number = commits.turn([Self.change], [.show(reduced), Self.answer(1)])
    commits.turn([.removeDecision(1)], [.show(reduced), Self.decision(1)])
    #expect(commits.takeReducedFixes() == [reduced, reduced])
    #expect(commits.takeReducedFixes().isEmpty && !commits.awaitsNothing)
    #expect(commits.stored(number ?? 0) == [.shown, Self.answer(1)])
    #expect(commits.takeOwed() == .decision(1))
    commits.catchUp(with: [.removeDecision(1)])
    #expect(commits.stored(commits.turn([], []) ?? 0) == [Self.decision(1)])
    #expect(commits.awaitsNothing)
  }

  @Test("Each thing is owed once, oldest first")
  func owed() {
    var commits = Commits(limit: 10)
    for uid in [1, 2, 1, 3, 2] as [UInt32] { commits.owe(.decision(uid)) }
    #expect(!commits.owesNothing)
    #expect((0..<3).map { _ in commits.takeOwed() } == [.decision(1), .decision(2), .decision(3)])
    #expect(commits.owesNothing && commits.takeOwed() == nil)
    commits.owe(.decision(1))
    #expect(!commits.owesNothing)
  }
}

extension Commits {
  /// A turn with these changes, and what follows them.
  ///
  /// - Returns: The number of its batch.
  @discardableResult
  fileprivate mutating func turn(_ changes: [StoreChange], _ followers: [Follower], now: Instant = at(0)) -> UInt64? {
    for change in changes { self.store(change) }
    for follower in followers { self.follow(follower) }
    return self.commit(now: now).batch?.number
  }
}
