import Testing

@testable import Server

/// An update with a given length, which counts the drops before it.
private struct Update: QueuedMessage, Equatable {
  let subscription: Int
  var dropped = 0
  let size: Int
  var supersededBy: Int? { self.subscription }
  func encoded() -> [UInt8] { Array("\(subscription):\(dropped)".utf8) + Array(repeating: 46, count: size) }
}

extension OutboundQueue<Update> {
  fileprivate mutating func add(_ update: Update) { self.append(update, encoded: update.encoded()) }

  /// Writes everything, so many bytes at a time, and returns it.
  fileprivate mutating func drain(step: Int = 7) -> String {
    var written: [UInt8] = []
    while let first = self.first {
      let taken = first.prefix(step)
      written += taken
      self.wrote(taken.count)
    }
    return String(decoding: written, as: UTF8.self)
  }
}

@Suite struct OutboundQueueTests {
  @Test("messages come out in order, however little is written at a time", arguments: [1, 2, 7, 1000])
  func order(step: Int) {
    var queue = OutboundQueue<Update>()
    queue.append(Array("one,".utf8))
    queue.add(Update(subscription: 1, size: 3))
    queue.append(Array("two".utf8))
    let text = queue.drain(step: step)
    #expect(text == "one,1:0...two")
    #expect(queue.isEmpty && queue.count == 0)
  }

  @Test("under the limit nothing is dropped")
  func untouched() {
    var queue = OutboundQueue<Update>()
    for _ in 0..<5 { queue.add(Update(subscription: 1, size: 10)) }
    let isWithin = queue.shrink(to: queue.count)
    #expect(isWithin && queue.dropped == 0)
  }

  @Test("superseded updates are dropped, and the newest has their number")
  func newestWins() {
    var queue = OutboundQueue<Update>()
    queue.append(Array("reply,".utf8))
    for _ in 0..<4 { queue.add(Update(subscription: 1, size: 10)) }
    queue.add(Update(subscription: 2, size: 1))
    let isWithin = queue.shrink(to: 24)
    #expect(isWithin)
    #expect(queue.drain() == "reply,1:3..........2:0.")
  }

  @Test("no more is dropped than necessary, the oldest first")
  func noMoreThanNeeded() {
    var queue = OutboundQueue<Update>()
    for _ in 0..<4 { queue.add(Update(subscription: 1, size: 7)) }
    let isWithin = queue.shrink(to: 30)
    #expect(isWithin)
    #expect(queue.drain() == "1:0.......1:0.......1:1.......")
  }

  @Test("drops add up over several rounds")
  func countsAddUp() {
    var queue = OutboundQueue<Update>()
    for _ in 0..<3 {
      queue.add(Update(subscription: 1, size: 10))
      queue.add(Update(subscription: 1, size: 10))
      _ = queue.shrink(to: 13)
    }
    #expect(queue.dropped == 5)
    #expect(queue.drain() == "1:5..........")
  }

  @Test("replies and partly written messages are never dropped")
  func keepsWhatMustStay() {
    var queue = OutboundQueue<Update>()
    queue.add(Update(subscription: 1, size: 10))
    queue.wrote(4)
    queue.append(Array("reply".utf8))
    queue.add(Update(subscription: 1, size: 10))
    let isWithin = queue.shrink(to: 5)
    #expect(!isWithin)
    #expect(queue.drain() == ".........reply1:0..........")
  }

  @Test("the rest of a message that was begun stays when all others are dropped")
  func removesUntouched() {
    var queue = OutboundQueue<Update>()
    queue.append(Array("begun".utf8))
    queue.append(Array("not begun".utf8))
    queue.wrote(2)
    queue.removeAllUntouched()
    #expect(queue.count == 3)
    #expect(queue.drain() == "gun")
  }

  @Test("the count is the bytes that wait, after any mixture of events")
  func countIsExact() {
    var random = SystemRandomNumberGenerator()
    var queue = OutboundQueue<Update>()
    for _ in 0..<5000 {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: queue.append(Array(repeating: 65, count: Int.random(in: 1..<50, using: &random)))
      case 1: queue.add(Update(subscription: Int.random(in: 1..<5, using: &random), size: 20))
      case 2: if let first = queue.first { queue.wrote(Int.random(in: 1...first.count, using: &random)) }
      default: _ = queue.shrink(to: Int.random(in: 0..<2000, using: &random))
      }
    }
    let count = queue.count
    #expect(queue.drain().utf8.count == count)
  }
}
