import Testing

@testable import Positioning

/// The queue that everything waits in.
@Suite struct FifoTests {
  @Test("What comes first is taken first, however many wait, and what was taken is freed")
  func order() {
    var queue = Fifo<Int>()
    var (added, taken) = (0, 0)
    var random = SeededRandom(seed: 3)
    for _ in 0..<10_000 {
      if Bool.random(using: &random) {
        queue.append(added)
        added += 1
      } else if let number = queue.popFirst() {
        #expect(number == taken)
        taken += 1
      } else {
        #expect(queue.isEmpty)
      }
      #expect(queue.count == added - taken && queue.first == (queue.isEmpty ? nil : taken))
      #expect(queue.elements.count <= max(2 * queue.count, queue.count + 16))
    }
    #expect(taken > 4000 && Array(queue) == Array(taken..<added))
  }

  @Test("An element is changed where it waits")
  func change() {
    var queue = Fifo(Array(1...5))
    queue.popFirst()
    queue[1] = 30
    #expect(Array(queue) == [2, 30, 4, 5])
    #expect(queue == [2, 30, 4, 5] && queue.hashValue == Fifo([2, 30, 4, 5]).hashValue && queue != [30, 4, 5])
    queue.insert(contentsOf: [0, 1], at: 0)
    queue.popFirst()
    queue.removeAll { $0 == 4 }
    queue.append(contentsOf: [6, 7])
    queue.remove(at: 3)
    #expect(queue == [1, 2, 30, 6, 7] && queue.removeFirst() == 1 && queue.popLast() == 7)
    queue.removeAll()
    #expect(queue.popFirst() == nil)
  }
}
