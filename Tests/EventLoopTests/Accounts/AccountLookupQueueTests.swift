import Glibc
import Positioning
import Testing

@testable import EventLoop

@Suite("The queue of lookups of users and groups")
struct AccountLookupQueueTests {
  private static let start = Instant(sinceBoot: .seconds(100))

  private static func found(_ uid: UInt32, _ name: String = "ada") -> AccountLookup<Account> {
    .found(Account(number: uid, name: name))
  }

  private static func late(_ call: String) -> AccountLookup<Account> {
    .unknown(SystemError(code: ETIMEDOUT, call: call))
  }

  @Test("Equal lookups share one answer, which is valid for a second")
  func shared() {
    var (queue, now) = (AccountLookupQueue(), Self.start)
    #expect(queue.asked(.name(1000), by: 1, now: now) == [.put(.name(1000))])
    #expect(queue.asked(.name(1000), by: 2, now: now) == [])
    let answers: [AccountLookupQueue.Action] = [
      .answer(asker: 1, Self.found(1000)), .answer(asker: 2, Self.found(1000)),
    ]
    #expect(queue.answered(.name(1000), Self.found(1000), now: now) == answers)
    now = now + .milliseconds(999)
    #expect(queue.asked(.name(1000), by: 3, now: now) == [.answer(asker: 3, Self.found(1000))])
    now = now + .milliseconds(1)
    #expect(queue.asked(.name(1000), by: 4, now: now) == [.put(.name(1000))])
    #expect(queue.nextDeadline == now + AccountLookupQueue.timeout)
  }

  @Test("The answers that a user is missing or unknown are valid for a second too", arguments: [true, false])
  func nameless(isAbsent: Bool) {
    let lookup: AccountLookup<Account> = isAbsent ? .absent : .unknown(SystemError(code: EIO, call: "look"))
    var (queue, now) = (AccountLookupQueue(), Self.start)
    _ = queue.asked(.name(1000), by: 1, now: now)
    #expect(queue.answered(.name(1000), lookup, now: now) == [.answer(asker: 1, lookup)])
    #expect(queue.asked(.name(1000), by: 2, now: now) == [.answer(asker: 2, lookup)])
    now = now + AccountLookupQueue.lasting
    #expect(queue.asked(.name(1000), by: 3, now: now) == [.put(.name(1000))])
  }

  @Test("A new lookup is not answered with an older answer")
  func anew() {
    var queue = AccountLookupQueue()
    _ = queue.asked(.user(1000), by: 1, now: Self.start)
    _ = queue.answered(.user(1000), .absent, now: Self.start)
    #expect(queue.asked(.user(1000), by: 2, anew: true, now: Self.start) == [.put(.user(1000))])
    let answers: [AccountLookupQueue.Action] = [.answer(asker: 2, Self.found(1000))]
    #expect(queue.answered(.user(1000), Self.found(1000), now: Self.start) == answers)
    #expect(queue.asked(.user(1000), by: 3, now: Self.start) == [.answer(asker: 3, Self.found(1000))])
  }

  @Test("The daemon's own lookups are never refused, whatever their number")
  func many() {
    var queue = AccountLookupQueue()
    var count = 0
    for number in UInt32(1)...1000 {
      let actions = queue.asked(.user(number), by: UInt64(number), anew: true, now: Self.start)
      count += actions.count { if case .answer = $0 { true } else { false } }
    }
    #expect(count == 0)
  }

  @Test("A lookup past its deadline is answered as unknown, and its late result is used")
  func late() {
    var (queue, now) = (AccountLookupQueue(), Self.start)
    _ = queue.asked(.name(1000), by: 1, now: now)
    _ = queue.asked(.name(1000), by: 2, within: .seconds(20), now: now)
    #expect(queue.deadlineReached(now: now + .milliseconds(1999)) == [])
    now = now + AccountLookupQueue.timeout
    #expect(queue.nextDeadline == now)
    #expect(queue.deadlineReached(now: now) == [.answer(asker: 1, Self.late("look up user 1000"))])
    // The lookup is not started again while it is unknown whether it will be answered.
    #expect(queue.asked(.name(1000), by: 3, now: now) == [])
    now = now + .seconds(1)
    #expect(
      queue.answered(.name(1000), Self.found(1000), now: now) == [
        .answer(asker: 2, Self.found(1000)), .answer(asker: 3, Self.found(1000)),
        .learned(.name(1000), Self.found(1000)),
      ])
    #expect(queue.nextDeadline == nil)
  }

  @Test("A late error is ignored")
  func lateFailure() {
    var queue = AccountLookupQueue()
    _ = queue.asked(.user(1000), by: 1, now: Self.start)
    _ = queue.deadlineReached(now: Self.start + AccountLookupQueue.timeout)
    let lookup = AccountLookup<Account>.unknown(SystemError(code: EIO, call: "look"))
    #expect(queue.answered(.user(1000), lookup, now: Self.start + .seconds(9)) == [])
  }

  @Test("Thousands of unknown users take half of the places, and delay no known one")
  func strangers() {
    var (queue, now) = (AccountLookupQueue(), Self.start)
    _ = queue.asked(.name(1000), by: 1, now: now)
    _ = queue.answered(.name(1000), Self.found(1000), now: now)
    now = now + .seconds(5)
    var put = 0
    var refused = 0
    for uid in UInt32(100_000)..<165_536 {
      for action in queue.asked(.name(uid), by: UInt64(uid), now: now) {
        switch action {
        case .put: put += 1
        case .answer(_, .unknown): refused += 1
        case .answer, .learned: Issue.record("\(action)")
        }
      }
    }
    #expect(put == AccountLookupQueue.maximumStrangers)
    #expect(refused == 65_536 - put - AccountLookupQueue.maximumWaiting)
    // A known user has a place, though hundreds wait.
    queue = AccountLookupQueue()
    _ = queue.asked(.name(1000), by: 1, now: now)
    _ = queue.answered(.name(1000), Self.found(1000), now: now)
    now = now + .seconds(5)
    for uid in UInt32(1)...200 { _ = queue.asked(.name(100_000 + uid), by: UInt64(uid), now: now) }
    #expect(queue.asked(.name(1000), by: 500, now: now) == [.put(.name(1000))])
    #expect(queue.asked(.userNumber("ben"), by: 501, now: now) == [.put(.userNumber("ben"))])
    now = now + AccountLookupQueue.timeout
    // All waiting callers are answered in time.
    #expect(queue.deadlineReached(now: now).count == 202)
  }

  @Test("Subordinate numbers of one owner leave room for others who wait")
  func owners() {
    var queue = AccountLookupQueue()
    func isRefused(_ uid: UInt32, _ owners: [String]) -> Bool {
      let actions = queue.asked(.client(uid, owners: owners), by: UInt64(uid), now: Self.start)
      return actions.contains { if case .answer(_, .unknown) = $0 { true } else { false } }
    }
    let refused = (UInt32(100_000)..<100_300).count { isRefused($0, ["ada"]) }
    #expect(refused == 300 - AccountLookupQueue.maximumStrangers - AccountLookupQueue.maximumWaitingOfOwner)
    #expect(!isRefused(200_000, ["ben"]) && !isRefused(1000, []))
  }

  @Test("Known users take all places that unknown ones leave")
  func known() {
    var (queue, now) = (AccountLookupQueue(), Self.start)
    for uid in UInt32(1)...4 {
      _ = queue.asked(.name(uid), by: UInt64(uid), now: now)
      _ = queue.answered(.name(uid), Self.found(uid), now: now)
    }
    now = now + .seconds(5)
    for uid in UInt32(101)...110 { _ = queue.asked(.name(uid), by: UInt64(uid), now: now) }
    #expect(queue.asked(.name(1), by: 1, now: now) == [.put(.name(1))])
    #expect(queue.asked(.name(2), by: 2, now: now) == [.put(.name(2))])
    #expect(queue.asked(.name(3), by: 3, now: now) == [])
    // The next place is for a known user, though unknown ones have waited longer.
    #expect(queue.answered(.name(101), .absent, now: now) == [.answer(asker: 101, .absent), .put(.name(3))])
    #expect(queue.answered(.name(1), Self.found(1), now: now).last == .put(.name(103)))
  }

  @Test("The number of kept answers is bounded")
  func crowd() {
    var (queue, now) = (AccountLookupQueue(), Self.start)
    let crowd = UInt32(2 * AccountLookupQueue.maximumKept)
    for uid in 0..<crowd {
      _ = queue.asked(.name(uid), by: UInt64(uid), now: now)
      _ = queue.answered(.name(uid), Self.found(uid), now: now)
    }
    let again = (0..<crowd).filter { queue.asked(.name($0), by: 1, now: now).first == .put(.name($0)) }
    #expect(again.first == UInt32(AccountLookupQueue.maximumKept))
    now = now + .seconds(2)
    #expect(queue.nextDeadline == Self.start + AccountLookupQueue.timeout)
  }
}
