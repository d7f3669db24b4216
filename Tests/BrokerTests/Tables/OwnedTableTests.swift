import Positioning
import TestSupport
import Testing

@testable import Broker

/// Tables that find what belongs together without a look at the rest.
@Suite struct OwnedTableTests {
  @Test(
    "Groups against a list that is searched each time, over random operations", arguments: 1...20 as ClosedRange<UInt64>
  )
  func groups(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var grouping = Grouping<Int, Int>()
    var naive: [(member: Int, group: Int)] = []
    for _ in 0..<500 {
      let member = Int.random(in: 0..<40, using: &random)
      let group = Int.random(in: 0..<4, using: &random)
      if random.oneIn(3) {
        grouping.remove(member)
        naive.removeAll { $0.member == member }
      } else {
        grouping.put(member, in: group)
        if naive.first(where: { $0.member == member })?.group != group {
          naive.removeAll { $0.member == member }
          naive.append((member, group))
        }
      }
      for group in 0..<4 {
        let members = naive.filter { $0.group == group }.map(\.member)
        #expect(grouping.members(of: group) == members && grouping.count(of: group) == members.count, "seed \(seed)")
        #expect(grouping.contains(in: group) { $0 > 20 } == members.contains { $0 > 20 }, "seed \(seed)")
      }
      #expect(Set(grouping.all) == Set(naive.map(\.group)), "seed \(seed)")
      #expect(grouping.group(of: member) == naive.first { $0.member == member }?.group, "seed \(seed)")
    }
  }

  private static func id(_ client: UInt64, _ number: Int) -> SubscriptionID {
    SubscriptionID(client: ClientID(client), number: number)
  }

  @Test("What is one owner's is found and removed by the owner")
  func owners() {
    var table = OwnedTable<SubscriptionID, Int>()
    for (client, number) in [(1, 1), (2, 1), (1, 2), (3, 1)] as [(UInt64, Int)] {
      table[Self.id(client, number)] = number
    }
    #expect(table.keys(of: ClientID(1)) == [Self.id(1, 1), Self.id(1, 2)] && table.count(of: ClientID(2)) == 1)
    table.removeAll(of: ClientID(1))
    #expect(table.keys == [Self.id(2, 1), Self.id(3, 1)] && table.keys(of: ClientID(1)).isEmpty)
    #expect(Set(table.allOwners) == [ClientID(2), ClientID(3)])
    table[Self.id(2, 1)] = nil
    #expect(table.count == 1 && table.count(of: ClientID(2)) == 0)
  }

  @Test("What moves to another view is found there, whoever moves it")
  func views() {
    let reduced = FixViewKey(precision: .reduced)
    var table = ViewedTable<SubscriptionID, VisitSubscription>()
    for number in 1...3 {
      let id = Self.id(1, number)
      table[id] = VisitSubscription(id: id, view: number == 2 ? nil : .everything)
    }
    #expect(table.keys(in: .everything) == [Self.id(1, 1), Self.id(1, 3)] && table.keys(in: nil) == [Self.id(1, 2)])
    #expect(table.count(in: .precise) == 2 && table.count(in: .reduced) == 0)
    table.modify(Self.id(1, 1)) { $0.view = reduced }
    table.modify(Self.id(1, 2)) { $0.updates += 1 }
    #expect(table.keys(in: reduced) == [Self.id(1, 1)] && table.keys(in: .everything) == [Self.id(1, 3)])
    var seen: [SubscriptionID] = []
    table.forEach(in: .everything) { seen.append($0.id) }
    #expect(seen == [Self.id(1, 3)])
    table.removeAll(of: ClientID(1))
    #expect(table.isEmpty && table.keys(in: reduced).isEmpty && table.count(in: .precise) == 0)
  }
}
