import Broker
import Positioning
import Testing

@testable import Server

@Suite("The order of turns")
struct TurnSchedulerTests {
  @Test("Two hundred connections of one user get no more turns than one of another")
  func users() {
    var scheduler = TurnScheduler()
    for client in UInt64(1)...200 { scheduler.add(ClientID(client), of: 1000, isGranted: true) }
    scheduler.add(ClientID(500), of: 1001, isGranted: true)
    #expect(scheduler.next() == ClientID(1))
    #expect(scheduler.next() == ClientID(500))
    scheduler.add(ClientID(500), of: 1001, isGranted: true)
    #expect(scheduler.next() == ClientID(2))
    #expect(scheduler.next() == ClientID(500))
    // Alone again, the user's connections follow each other, each once.
    let rest = (3...200).map { _ in scheduler.next() }
    #expect(rest == (3...200).map { ClientID(UInt64($0)) })
    #expect(scheduler.next() == nil && scheduler.isEmpty)
  }

  @Test("A thousand users without a grant get every fourth place, and all if no other waits")
  func strangers() {
    var scheduler = TurnScheduler()
    for user in UInt32(1)...1000 { scheduler.add(ClientID(UInt64(user)), of: user, isGranted: false) }
    for client in UInt64(2001)...2006 { scheduler.add(ClientID(client), of: 5000, isGranted: true) }
    let order = (0..<8).compactMap { _ in scheduler.next()?.value }
    #expect(order == [2001, 2002, 2003, 1, 2004, 2005, 2006, 2])
    #expect(scheduler.next() == ClientID(3))
  }

  @Test(
    "However many connections of one user have endless work, another's waits for about one turn",
    arguments: [10, 200, 10_000])
  func virtual(count: Int) {
    var scheduler = TurnScheduler()
    var now = Instant(sinceBoot: .zero)
    let other = ClientID(1_000_000)
    var ready: Instant?
    var longest: Duration = .zero
    for client in 1...count { scheduler.add(ClientID(UInt64(client)), of: 1000, isGranted: true) }
    for turn in 0..<2000 {
      // Between two turns the loop finds connections that became ready meanwhile.
      if ready != nil { scheduler.add(other, of: 1001, isGranted: true) }
      let end = now + TurnScheduler.budget
      while now < end, let client = scheduler.next() {
        if client == other, let since = ready {
          longest = max(longest, now - since)
          ready = nil
          now = now + .microseconds(50)
        } else {
          now = now + TurnScheduler.slice
          scheduler.add(client, of: 1000, isGranted: true)
        }
        // It becomes ready again at some moment within the turn, early or late.
        if ready == nil, now + .microseconds(turn % 8 * 500) >= end { ready = now }
      }
    }
    #expect(longest > .zero && longest <= TurnScheduler.budget + TurnScheduler.slice * 2, "\(longest)")
  }
}
