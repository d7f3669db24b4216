package import Positioning

import func Glibc.log2
import func Glibc.pow

/// What is known of the receiver's starts, which outlives the daemon.
package struct ReceiverMemory: Hashable, Sendable {
  /// How long its starts take.
  package var starts: TimeToFirstFix
  /// When it last had the sky for long enough to collect what it needs for a hot start; `nil`: never, as far as is
  /// known.
  package var collected: Instant?

  package init(starts: TimeToFirstFix = TimeToFirstFix(), collected: Instant? = nil) {
    self.starts = starts
    self.collected = collected
  }

  /// The memory as it counts in this boot: how long ago the receiver collected something in an earlier one is unknown.
  var inThisBoot: ReceiverMemory {
    ReceiverMemory(starts: self.starts, collected: self.collected.flatMap { $0.isBeforeBoot ? nil : $0 })
  }

  /// Adds what was learned before this memory was read. A start that counted as cold then may have been a hot one.
  func joined(by later: ReceiverMemory) -> ReceiverMemory {
    var joined = self
    for offTime in [TimeToFirstFix.OffTime.hot, .warm] { joined.starts.learn(later.starts, after: offTime) }
    joined.collected = [self.collected, later.collected].compactMap { $0 }.max()
    return joined
  }

  /// How long the receiver must have fixes without a break: each satellite sends its orbit every 30 s.
  static let collecting: Duration = .seconds(30)

  /// The kind of a start at a moment. If the receiver was on for only a few seconds before, that time counts as off.
  func offTime(at moment: Instant) -> TimeToFirstFix.OffTime {
    TimeToFirstFix.OffTime(self.collected.map { moment - $0 })
  }

  /// How much longer a start takes than a hot one, on average.
  func costOfCooling(to offTime: TimeToFirstFix.OffTime) -> Duration {
    max(self.starts.mean(after: offTime) - self.starts.mean(after: .hot), .zero)
  }
}

/// Decides when the memory of the receiver is stored: each time is a write to the disk.
///
/// The first starts are stored at once. After them one more says little, and an hour of them may be lost.
struct ReceiverMemoryStoring: Hashable, Sendable {
  static let interval: Duration = .seconds(3600)
  private static let firstStarts = 10

  private var kept: ReceiverMemory
  private var keptAt: Instant?

  init(kept: ReceiverMemory) { self.kept = kept }

  mutating func memoryToKeep(of memory: ReceiverMemory, isPressing: Bool, now: Instant) -> ReceiverMemory? {
    guard memory != self.kept else { return nil }
    let isLate = self.keptAt.map { now - $0 >= Self.interval } ?? true
    guard isPressing || isLate || self.isNews(memory) else { return nil }
    self.kept = memory
    self.keptAt = now
    return memory
  }

  /// Whether one of the first starts of a class was learned.
  private func isNews(_ memory: ReceiverMemory) -> Bool {
    TimeToFirstFix.OffTime.allCases.contains { offTime in
      let starts = memory.starts.starts(after: offTime)
      return starts <= Self.firstStarts && starts != self.kept.starts.starts(after: offTime)
    }
  }
}

/// How long the receiver takes from its start to the first fix, learned from its starts.
///
/// Starts are counted by how long the receiver was off before, in steps of 15 %. From that follows how early it must be
/// started for a fix in time (`lead`), and what a start costs on average (`mean`).
package struct TimeToFirstFix: Hashable, Sendable {
  /// How long the receiver was off, as far as its next start depends on it: what it knows of the satellites becomes
  /// useless with time.
  package enum OffTime: Int, Hashable, Sendable, CaseIterable {
    case hot, warm, cold

    /// - Parameter duration: `nil`: it never had a fix, as far as is known.
    package init(_ duration: Duration?) {
      guard let duration else {
        self = .cold
        return
      }
      self = duration < Self.hotLimit ? .hot : duration < Self.warmLimit ? .warm : .cold
    }

    package static let hotLimit: Duration = .seconds(2 * 3600)
    package static let warmLimit: Duration = .seconds(4 * 3600)

    /// How early to start the receiver before anything is learned.
    var assumedLead: Duration {
      switch self {
      case .hot: .seconds(10)
      case .warm: .seconds(45)
      case .cold: .seconds(60)
      }
    }

    /// The cost of a start before anything is learned.
    var assumedMean: Duration {
      switch self {
      case .hot: .seconds(4)
      case .warm: .seconds(30)
      case .cold: .seconds(40)
      }
    }

    /// After so long a receiver under the sky sees a satellite.
    var firstSatellite: Duration {
      switch self {
      case .hot: .seconds(4)
      case .warm, .cold: .seconds(30)
      }
    }

    /// No start takes less, however lucky: a satellite sends its orbit, which only a hot start does without, in 18 s.
    var shortest: Duration {
      switch self {
      case .hot: .zero
      case .warm, .cold: .seconds(18)
      }
    }

    /// A start that took longer was not slow but had no view of the sky, and is not learned.
    var longest: Duration {
      switch self {
      case .hot: .seconds(60)
      case .warm: .seconds(120)
      case .cold: .seconds(300)
      }
    }
  }

  /// The share of starts that must be over in time.
  package static let kept = 0.995
  /// When so many starts were counted, each counts half, so that a change of the receiver or of its place shows.
  private static let memory = 1000
  /// The bins: up to half a second, and from there on 15 % more each, up to the longest start.
  static let binCount = 47
  private static let step = 1.15

  /// The number of starts in each bin, for each class in order.
  private var counts: [[Int]]

  package init() {
    self.counts = OffTime.allCases.map { _ in Array(repeating: 0, count: Self.binCount) }
  }

  // MARK: Learning

  /// - Returns: Whether it was learned.
  @discardableResult
  package mutating func learn(_ duration: Duration, after offTime: OffTime) -> Bool {
    guard duration <= offTime.longest else { return false }
    self.counts[offTime.rawValue][Self.bin(of: duration)] += 1
    self.forget(offTime)
    return true
  }

  /// Learns what another one has learned of a class.
  mutating func learn(_ other: TimeToFirstFix, after offTime: OffTime) {
    for bin in 0..<Self.binCount { self.counts[offTime.rawValue][bin] += other.counts[offTime.rawValue][bin] }
    self.forget(offTime)
  }

  private mutating func forget(_ offTime: OffTime) {
    guard self.starts(after: offTime) >= Self.memory else { return }
    self.counts[offTime.rawValue] = self.counts[offTime.rawValue].map { $0 / 2 }
  }

  // MARK: Knowing

  /// How many starts of this class it knows.
  package func starts(after offTime: OffTime) -> Int { self.counts[offTime.rawValue].reduce(0, +) }

  /// How long before it is needed the receiver must be started: the smallest time within which, as far as is known,
  /// 99.5 % of the starts of this class are over.
  ///
  /// What matters is the slowest of 200 starts, which is not known before there were so many. Until then the slowest known
  /// one is extended, by less the more starts there were.
  package func lead(after offTime: OffTime) -> Duration {
    let counts = self.counts[offTime.rawValue]
    let starts = counts.reduce(0, +)
    // The next start may be slower than all that are known.
    let allowed = Double(starts + 1) * (1 - Self.kept)
    guard allowed >= 1 else { return self.cautiousLead(after: offTime, starts: starts) }
    var slower = 1
    for bin in counts.indices.reversed() {
      slower += counts[bin]
      if Double(slower) > allowed { return Self.end(of: bin) }
    }
    return Self.end(of: 0)
  }

  private func cautiousLead(after offTime: OffTime, starts: Int) -> Duration {
    guard let slowest = self.counts[offTime.rawValue].lastIndex(where: { $0 > 0 }) else { return offTime.assumedLead }
    // Beyond its shortest time a start depends on luck. That part is taken one step longer for each time that the number
    // of starts would have to double to be enough.
    let halvings = log2(1 / (1 - Self.kept) / Double(starts + 1)).rounded(.up)
    let shortest = min(offTime.shortest, Self.end(of: slowest))
    let slow = shortest + (Self.end(of: slowest) - shortest) * pow(Self.step, halvings)
    return min(max(slow, offTime.assumedLead), offTime.longest)
  }

  /// The average time of a start.
  package func mean(after offTime: OffTime) -> Duration {
    let counts = self.counts[offTime.rawValue]
    let starts = counts.reduce(0, +)
    guard starts > 0 else { return offTime.assumedMean }
    return counts.indices.reduce(.zero) { $0 + Self.end(of: $1) * counts[$1] } / starts
  }

  // MARK: Bins

  /// The longest time in a bin.
  static func end(of bin: Int) -> Duration { .seconds(Self.ends[min(bin, Self.binCount - 1)]) }

  private static let ends: [Double] = (0..<Self.binCount).reduce(into: []) { ends, _ in
    ends.append(ends.last.map { $0 * Self.step } ?? 0.5)
  }

  private static func bin(of duration: Duration) -> Int {
    let seconds = duration.seconds
    return Self.ends.firstIndex { seconds <= $0 } ?? Self.binCount - 1
  }
}

// MARK: The stored form

extension TimeToFirstFix {
  /// The number of starts in each bin.
  package func counts(after offTime: OffTime) -> [Int] { self.counts[offTime.rawValue] }

  /// Restores what was learned of a class; counts that cannot be right are as if nothing was.
  package mutating func restore(_ counts: [Int], after offTime: OffTime) {
    let isPossible =
      counts.count == Self.binCount && counts.allSatisfy { (0..<Self.memory).contains($0) }
      && counts.reduce(0, +) < Self.memory
    self.counts[offTime.rawValue] = isPossible ? counts : Array(repeating: 0, count: Self.binCount)
  }
}
