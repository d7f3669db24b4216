import Glibc
import Positioning

/// A receiver: what it reports while it is on, from the truth, with errors that have a memory.
struct SimulatedReceiver {
  /// What it reports of one epoch.
  struct Epoch {
    /// `nil`: it has no fix.
    var place: Track.Place?
    /// The claimed radius that holds the position with a probability of 68 %, in metres.
    var accuracy = 0.0
    var speed = 0.0
    var course = 0.0
  }

  /// The deviation of the error in each direction, in metres, once it has settled.
  private var deviation = 3.0
  /// For how long an error lasts.
  static let memory: Duration = .seconds(90)
  /// The radius that holds 68 % of a round error, in deviations of one direction.
  static let ratio = 1.51

  private var random: SeededRandom
  private var error = (east: 0.0, north: 0.0)
  private var lastFix: Instant?
  /// When it has its first fix, if the sky stays free.
  private var fixAt: Instant?
  private var fixSince: Instant?
  private var lastEpoch: Instant?
  /// How it searches, if that follows from what it knows.
  private(set) var knowing: KnowingReceiver?

  init(seed: UInt64) { self.random = SeededRandom(seed: seed) }

  /// From now on it forgets everything with its supply.
  mutating func forget(seed: UInt64, now: Instant) { self.knowing = KnowingReceiver(seed: seed, now: now) }

  /// - Returns: The messages with which it answers.
  mutating func received(_ bytes: [UInt8], now: Instant, at place: Track.Place, _ time: Timestamp) -> [[UInt8]] {
    self.knowing?.received(bytes, now: now, at: place, time) ?? []
  }

  mutating func takeFirstFix(now: Instant) -> (after: Duration, without: Duration?)? {
    self.knowing?.takeFirstFix(now: now)
  }

  /// It begins to search.
  mutating func start(now: Instant) {
    let off = self.lastFix.map { now - $0 }
    let search: ClosedRange<Double> =
      switch off {
      case .some(let off) where off < .seconds(7200): 1...4
      case .some(let off) where off < .seconds(14_400): 20...32
      case .some, nil: 26...45
      }
    self.fixAt = now + .seconds(1) * Double.random(in: search, using: &self.random)
    self.knowing?.start(now: now)
    self.fixSince = nil
    self.lastEpoch = nil
  }

  /// It errs by so many times as much from now on, and says so.
  mutating func blur(by factor: Double) {
    self.deviation *= factor
    self.error = (self.error.east * factor, self.error.north * factor)
  }

  mutating func stop(now: Instant) {
    (self.fixAt, self.fixSince) = (nil, nil)
    self.knowing?.stop(now: now)
  }

  mutating func epoch(_ track: Track, at moment: Duration, hasSky: Bool, now: Instant) -> Epoch {
    guard let fixAt = self.fixAt else { return Epoch() }
    self.knowing?.setSky(visible: hasSky, now: now)
    guard hasSky else {
      // The search goes on when the sky is back.
      self.fixAt = max(fixAt, now + .seconds(3))
      self.fixSince = nil
      return Epoch()
    }
    guard self.knowing?.hasFix(now: now) ?? (now >= fixAt) else { return Epoch() }
    let since = self.fixSince ?? now
    self.fixSince = since
    // The first fixes are worse.
    let scale = 1 + 4 * exp(-(now - since).seconds / 8)
    self.walk(over: self.lastEpoch.map { now - $0 }, isFirst: since == now)
    self.lastEpoch = now
    self.lastFix = now
    let truth = track.place(at: moment)
    let movement = track.movement(at: moment)
    return Epoch(
      place: Track.Place(
        east: truth.east + self.error.east * scale, north: truth.north + self.error.north * scale),
      accuracy: self.deviation * scale * Self.ratio, speed: max(0, movement.speed + self.random.normal() * 0.05),
      course: movement.course)
  }

  /// The error moves on: a Gauss-Markov process.
  private mutating func walk(over time: Duration?, isFirst: Bool) {
    let share = isFirst ? 1 : 1 - exp(-(time ?? Self.memory).seconds / Self.memory.seconds)
    let kept = 1 - share
    let new = (1 - kept * kept).squareRoot() * self.deviation
    self.error.east = self.error.east * kept + self.random.normal() * new
    self.error.north = self.error.north * kept + self.random.normal() * new
  }
}
