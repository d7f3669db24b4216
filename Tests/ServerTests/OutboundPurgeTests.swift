import Positioning
import Testing

@testable import Server

/// A message with a kind, a number, a sensitivity, and a number of drops before it.
private struct Line: QueuedMessage, Hashable {
  enum Kind: String, CaseIterable {
    case update, notification, reply
  }

  let kind: Kind
  var subscription = 1
  let number: Int
  var level: Int
  var dropped = 0
  var padding = 0

  var supersededBy: Int? { self.kind == .update ? self.subscription : nil }

  func encoded() -> [UInt8] {
    Array(
      "\(self.kind.rawValue) \(self.number) \(self.level) \(self.dropped) \(String(repeating: ".", count: self.padding))\n"
        .utf8)
  }

  /// What remains of it at this limit: for a reply an error, which may be longer.
  func remainder(_ limit: Int) -> Remainder<Line> {
    guard self.level > limit else { return .all }
    guard self.kind == .reply else { return .nothing }
    return .other(Line(kind: .reply, number: self.number, level: 0, padding: 40))
  }
}

extension OutboundQueue<Line> {
  fileprivate mutating func add(_ line: Line) { self.append(line, encoded: line.encoded()) }

  /// Everything that is written from now on, a few bytes at a time.
  fileprivate mutating func drain() -> [UInt8] {
    var written: [UInt8] = []
    while let first = self.first {
      let taken = first.prefix(11)
      written += taken
      self.wrote(taken.count)
    }
    return written
  }

  fileprivate mutating func drainWords() -> [String] {
    String(decoding: self.drain(), as: UTF8.self).split(separator: "\n").map {
      String($0.reversed().drop { $0 == "." || $0 == " " }.reversed())
    }
  }
}

/// What remains of a queue when its client may know less.
@Suite struct OutboundPurgeTests {
  fileprivate static func mixed() -> OutboundQueue<Line> {
    var queue = OutboundQueue<Line>()
    queue.append(Array("fixed 0\n".utf8))
    for (kind, level) in [
      (Line.Kind.update, 2), (.update, 1), (.notification, 2), (.notification, 1), (.notification, 0), (.reply, 2),
      (.reply, 1), (.update, 2),
    ] {
      queue.add(Line(kind: kind, number: 7, level: level))
    }
    return queue
  }

  @Test(
    "notifications are dropped, replies are replaced, and the rest stays in its order",
    arguments: [
      (2, Self.mixed()),
      (1, Self.mixed()),
      (0, Self.mixed()),
    ] as [(Int, OutboundQueue<Line>)])
  fileprivate func purged(limit: Int, queue: OutboundQueue<Line>) {
    var queue = queue
    queue.purge { $0.remainder(limit) }
    var copy = queue
    #expect(copy.drain().count == queue.count)
    let all = [
      (0, "fixed 0"), (2, "update 7 2 0"), (1, "update 7 1 0"), (2, "notification 7 2 0"), (1, "notification 7 1 0"),
      (0, "notification 7 0 0"), (2, "reply 7 2 0"), (1, "reply 7 1 0"), (2, "update 7 2 0"),
    ]
    let left = all.compactMap { level, words in
      level <= limit ? words : words.hasPrefix("reply") ? "reply 7 0 0" : nil
    }
    #expect(queue.drainWords() == left)
  }

  @Test("a message that was begun is finished, and precedes all others")
  func begun() {
    var queue = Self.mixed()
    queue.wrote("fixed 0\n".utf8.count)
    queue.wrote(3)
    queue.purge { $0.remainder(0) }
    #expect(queue.drainWords() == ["ate 7 2 0", "notification 7 0 0", "reply 7 0 0", "reply 7 0 0"])
  }

  @Test("if messages were written before, only the waiting ones are checked")
  func written() {
    var queue = OutboundQueue<Line>()
    for number in 0..<100 { queue.add(Line(kind: .notification, number: number, level: number % 2)) }
    for _ in 0..<50 { if let first = queue.first { queue.wrote(first.count) } }
    queue.purge { $0.remainder(0) }
    queue.add(Line(kind: .notification, number: 100, level: 2))
    #expect(queue.drainWords() == (25..<50).map { "notification \(2 * $0) 0 0" } + ["notification 100 2 0"])
    #expect(queue.isEmpty && queue.count == 0)
  }

  @Test("drops before a purged message are not reported, and later ones count again")
  func counts() {
    var queue = OutboundQueue<Line>()
    for number in 0..<5 { queue.add(Line(kind: .update, number: number, level: 2)) }
    _ = queue.shrink(to: 0)
    #expect(queue.dropped == 4)
    queue.purge { $0.remainder(1) }
    #expect(queue.isEmpty)
    for number in 5..<8 { queue.add(Line(kind: .update, number: number, level: 1)) }
    _ = queue.shrink(to: 0)
    #expect(queue.drainWords() == ["update 7 1 2"])
    #expect(queue.dropped == 6)
  }

  @Test(
    "after any mixture of events every reply is written once, nothing forbidden is begun, and the counts are right",
    arguments: 0..<10 as Range<UInt64>)
  func anything(seed: UInt64) {
    var world = PurgeWorld(seed: seed)
    for _ in 0..<1500 { world.step() }
    world.finish()
    #expect(world.failures.isEmpty, "\(world.failures.prefix(3))")
    #expect(world.purges > 100 && world.queue.dropped > 0)
  }
}

/// A client that reads at intervals, with a changing permission, and the messages for it.
private struct PurgeWorld {
  private(set) var queue = OutboundQueue<Line>()
  private(set) var failures: [String] = []
  private(set) var purges = 0
  private var random: SeededRandom
  private var steps = 0
  private var lastNumber = 0
  private var limit = 2
  private var partial: [UInt8] = []
  private var replies: Set<Int> = []
  private var answered: [Int: Int] = [:]
  /// Updates that were queued, that were written with the drops that they count, and that were removed.
  private var queued = 0
  private var written = 0
  private var reported = 0
  private var purgedUpdates = 0
  private var purgedCounts = 0

  init(seed: UInt64) { self.random = SeededRandom(seed: seed) }

  mutating func step() {
    self.steps += 1
    switch Int.random(in: 0..<8, using: &self.random) {
    case 0...3: self.queueOne()
    case 4: self.write(Int.random(in: 1..<200, using: &self.random))
    case 5: _ = self.queue.shrink(to: Int.random(in: 0..<3000, using: &self.random))
    case 6: self.purge(to: Int.random(in: 0...2, using: &self.random))
    default: self.write(1)
    }
    guard self.steps % 10 == 0 else { return }
    var copy = self.queue
    let bytes = copy.drain().count
    if bytes != self.queue.count { self.failures.append("\(self.queue.count) bytes are \(bytes)") }
  }

  mutating func finish() {
    while !self.queue.isEmpty { self.write(1000) }
    if self.answered != Dictionary(uniqueKeysWithValues: self.replies.map { ($0, 1) }) {
      self.failures.append("not every reply came once")
    }
    if self.queued != self.written + self.purgedUpdates + self.queue.dropped {
      self.failures.append("\(self.queued) updates are not \(self.written), \(self.purgedUpdates) and the dropped")
    }
    if self.reported + self.purgedCounts != self.queue.dropped {
      self.failures.append("\(self.queue.dropped) dropped, \(self.reported) reported, \(self.purgedCounts) gone")
    }
  }

  private mutating func queueOne() {
    self.lastNumber += 1
    let kind = Line.Kind.allCases[Int.random(in: 0..<3, using: &self.random)]
    // Nobody queues a message that may not be sent.
    let line = Line(
      kind: kind, subscription: Int.random(in: 1...3, using: &self.random), number: self.lastNumber,
      level: Int.random(in: 0...self.limit, using: &self.random), padding: Int.random(in: 0..<30, using: &self.random))
    switch kind {
    case .update: self.queued += 1
    case .reply: self.replies.insert(line.number)
    case .notification: break
    }
    self.queue.add(line)
  }

  private mutating func purge(to limit: Int) {
    self.purges += 1
    self.limit = limit
    var (updates, counts) = (0, 0)
    self.queue.purge { line in
      let remainder = line.remainder(limit)
      if case .nothing = remainder, line.kind == .update {
        updates += 1
        counts += line.dropped
      }
      return remainder
    }
    self.purgedUpdates += updates
    self.purgedCounts += counts
  }

  private mutating func write(_ count: Int) {
    guard let first = self.queue.first else { return }
    let taken = first.prefix(count)
    let isBegun = !self.partial.isEmpty
    self.partial += taken
    self.queue.wrote(taken.count)
    let words = String(decoding: self.partial, as: UTF8.self).split(separator: " ")
    if !isBegun {
      // The whole line, of which no byte was written.
      let level = String(decoding: first, as: UTF8.self).split(separator: " ").dropFirst(2).first.flatMap { Int($0) }
      if level ?? .max > self.limit {
        self.failures.append("level \(level ?? .max) was begun where \(self.limit) is allowed")
      }
    }
    guard self.partial.last == UInt8(ascii: "\n") else { return }
    self.partial = []
    guard words.count >= 4, let number = Int(words[1]), let dropped = Int(words[3]) else {
      return self.failures.append("no line: \(words)")
    }
    switch Line.Kind(rawValue: String(words[0])) {
    case .reply: self.answered[number, default: 0] += 1
    case .update:
      self.written += 1
      self.reported += dropped
    case .notification: break
    case nil: self.failures.append("no line: \(words)")
    }
  }
}
