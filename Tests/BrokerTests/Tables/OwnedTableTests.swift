import Positioning
import TestSupport
import Testing

@testable import Broker

/// Tables that find entries of one owner or group without visiting the others.
@Suite struct OwnedTableTests {
  @Test(
    "Groups behave like a list that is searched each time, over random operations",
    arguments: 1...20 as ClosedRange<UInt64>
  )
  func groups(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var grouping = Grouping<Int, Int>()
    var naive: [(member: Int, group: Int)] = []
    for _ in 0..<500 {
      let member = Int.random(in: 0..<40, using: &random)
      let group = Int.random(in: 0..<4, using: &random)
      let old = naive.first { $0.member == member }?.group
      if random.oneIn(3) {
        grouping.move(member, from: old, to: nil)
        naive.removeAll { $0.member == member }
      } else {
        grouping.move(member, from: old, to: group)
        if naive.first(where: { $0.member == member })?.group != group {
          naive.removeAll { $0.member == member }
          naive.append((member, group))
        }
      }
      for group in 0..<4 {
        let members = naive.filter { $0.group == group }.map(\.member)
        #expect(grouping.members(of: group) == members && grouping.count(of: group) == members.count, "seed \(seed)")
      }
      #expect(Set(grouping.all) == Set(naive.map(\.group)), "seed \(seed)")
    }
  }

  private static let one = Holder.client(ClientID(1))

  private static func id(_ client: UInt64, _ number: Int) -> SubscriptionID {
    SubscriptionID(client: ClientID(client), number: number)
  }

  @Test("Entries of one owner are found and removed by the owner")
  func owners() {
    var table = OwnedTable<SubscriptionID, Int>()
    for (client, number) in [(1, 1), (2, 1), (1, 2), (3, 1)] as [(UInt64, Int)] {
      table[Self.id(client, number)] = number
    }
    #expect(table.keys(of: Self.one) == [Self.id(1, 1), Self.id(1, 2)] && table.count(of: .client(ClientID(2))) == 1)
    for key in table.keys(of: Self.one) { table[key] = nil }
    #expect(table.keys == [Self.id(2, 1), Self.id(3, 1)] && table.keys(of: Self.one).isEmpty)
    #expect(Set(table.allOwners) == [.client(ClientID(2)), .client(ClientID(3))])
    table[Self.id(2, 1)] = nil
    #expect(table.count == 1 && table.count(of: .client(ClientID(2))) == 0)
  }

  @Test("An entry that moves to another feed is found there")
  func feeds() {
    let reduced = FixFeedKey(precision: .reduced)
    var table = Subscriptions()
    for client in 1...3 as ClosedRange<UInt64> {
      let feed: FixFeedKey? = client == 2 ? nil : .everything
      table.begin(.visits(VisitSubscription(id: Self.id(client, 1), feed: feed)), of: 1000)
    }
    func ids(_ feed: FixFeedKey?) -> [SubscriptionID] { table.ids(on: .visits(feed)) }
    #expect(ids(.everything) == [Self.id(1, 1), Self.id(3, 1)] && ids(nil) == [Self.id(2, 1)])
    #expect(table.visitorCount == 2 && table.ofClients[1000] == 3)
    for (client, feed) in [(1, reduced), (2, nil)] as [(UInt64, FixFeedKey?)] {
      let effects = table.move(
        .client(ClientID(client)), to: feed, keepsStates: false, availability: .searching,
        heading: HeadingReading(state: .invalid), now: at(0))
      #expect(effects.isEmpty)
    }
    #expect(ids(reduced) == [Self.id(1, 1)] && ids(.everything) == [Self.id(3, 1)] && table.visitorCount == 1)
    let hadAny = (1...3 as ClosedRange<UInt64>).map { table.removeAll(of: .client(ClientID($0))) }
    #expect(hadAny == [true, true, true])
    #expect(table.count == 0 && ids(reduced).isEmpty && table.visitorCount == 0 && table.ofClients == UserCounts())
  }
}
