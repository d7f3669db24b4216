import Positioning
import TestSupport
import Testing

@testable import Broker

@Suite struct OrderedTableTests {
  @Test(
    "It behaves like a list that is searched each time, over random operations",
    arguments: 1...30 as ClosedRange<UInt64>)
  func naive(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var table = OrderedTable<Int, Int>()
    var naive: [(key: Int, value: Int)] = []
    for step in 0..<800 {
      let key = Int.random(in: 0..<60, using: &random)
      let place = naive.firstIndex { $0.key == key }
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<9:
        table[key] = step
        if let place { naive[place].value = step } else { naive.append((key, step)) }
      case 9..<16:
        table[key] = nil
        if let place { naive.remove(at: place) }
      case 16, 17:
        let changed = table.modify(key) { value -> Int in
          value += 1000
          return value
        }
        if let place { naive[place].value += 1000 }
        #expect(changed == place.map { naive[$0].value }, "seed \(seed)")
      case 18:
        var visited: [Int] = []
        table.forEach { value in
          visited.append(value)
          value -= 7
        }
        #expect(visited == naive.map(\.value), "seed \(seed)")
        for index in naive.indices { naive[index].value -= 7 }
      default:
        table.removeAll { $0.isMultiple(of: 3) }
        naive.removeAll { $0.key.isMultiple(of: 3) }
      }
      #expect(table.keys == naive.map(\.key), "seed \(seed)")
      #expect(table.all == naive.map(\.value), "seed \(seed)")
      #expect(table.count == naive.count && table.isEmpty == naive.isEmpty, "seed \(seed)")
      #expect(table.firstKey == naive.first?.key, "seed \(seed)")
      let after = naive.randomElement(using: &random)?.key
      let rest = naive[(naive.firstIndex { $0.key == after }.map { $0 + 1 } ?? 0)...]
      let page = table.page(after: after, atMost: 5)
      #expect(page.values == rest.prefix(5).map(\.value) && page.omitted == max(rest.count - 5, 0), "seed \(seed)")
      #expect(table[key] == naive.first { $0.key == key }?.value, "seed \(seed)")
    }
  }

  @Test("A key that is removed and added again is the last")
  func comesAgain() {
    var table = OrderedTable<String, Int>()
    for key in ["a", "b", "c"] { table[key] = 1 }
    table["a"] = nil
    table["a"] = 2
    #expect(table.keys == ["b", "c", "a"])
    #expect(table.compactMap { $0 > 1 ? $0 : nil } == [2])
  }

  @Test(
    "Fifty thousand keys are removed one by one without a search for each", .timeLimit(.minutes(TestDeadline.minutes)))
  func many() {
    var table = OrderedTable<Int, Int>()
    for key in 0..<50_000 { table[key] = key }
    for key in 0..<50_000 { table[key] = nil }
    #expect(table.isEmpty)
    #expect(table.keys.isEmpty)
  }
}
