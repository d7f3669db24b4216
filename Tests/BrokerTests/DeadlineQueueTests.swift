import Positioning
import Testing

@testable import Broker

@Suite struct DeadlineQueueTests {
  @Test(
    "It behaves like a list that is searched each time, over random operations",
    arguments: 1...30 as ClosedRange<UInt64>)
  func naive(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var queue = DeadlineQueue<Int>()
    var naive: [(key: Int, deadline: Instant)] = []
    for _ in 0..<1500 {
      let key = Int.random(in: 0..<40, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<6:
        let deadline = at(Double(Int.random(in: 0..<50, using: &random)))
        queue.set(deadline, for: key)
        naive.removeAll { $0.key == key }
        naive.append((key, deadline))
      case 6, 7:
        queue.set(nil, for: key)
        naive.removeAll { $0.key == key }
      default:
        let now = at(Double(Int.random(in: 0..<50, using: &random)))
        // The soonest; of equal ones, the one that was set first.
        let due = naive.filter { $0.deadline <= now }.min { $0.deadline < $1.deadline }
        #expect(queue.popDue(now: now) == due?.key, "seed \(seed)")
        naive.removeAll { $0.key == due?.key }
      }
      #expect(queue.next == naive.map(\.deadline).min(), "seed \(seed)")
    }
  }

  @Test("Deadlines are due in the order of time, and equal ones in the order of setting")
  func order() {
    var queue = DeadlineQueue<String>()
    for (key, seconds) in [("c", 3.0), ("a", 1), ("b", 1), ("d", 2)] { queue.set(at(seconds), for: key) }
    queue.set(at(1), for: "c")
    var order: [String] = []
    while let key = queue.popDue(now: at(9)) { order.append(key) }
    #expect(order == ["a", "b", "c", "d"])
    #expect(queue.next == nil)
  }

  @Test("Nothing is due before its time, and a deadline is due at its very moment")
  func moment() {
    var queue = DeadlineQueue<Int>()
    queue.set(at(5), for: 1)
    #expect(queue.popDue(now: at(4.999)) == nil)
    #expect(queue.popDue(now: at(5)) == 1)
    #expect(queue.popDue(now: at(5)) == nil)
  }

  @Test("Moving a deadline a hundred thousand times leaves no memory behind")
  func moved() {
    var queue = DeadlineQueue<Int>()
    for key in 0..<10 { queue.set(at(1e6), for: key) }
    for step in 0..<100_000 { queue.set(at(2e6 + Double(step)), for: 0) }
    #expect(queue.next == at(1e6))
    #expect(queue.capacityInUse <= 64)
  }
}
