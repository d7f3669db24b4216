import Glibc
import Positioning

/// A receiver: how long its starts take, by what it still knows of the satellites, and how long it was on.
///
/// It has collected the orbits of the satellites once it had fixes for 30 s without a break, or when a start that had to
/// collect them is over. With orbits younger than 2 hours a start is hot, with those younger than 4 hours warm, and
/// otherwise cold. How long one takes is a function of the seed and of the minute in which it begins, so that all
/// strategies that start in the same minute have the same luck.
struct ReceiverModel {
  private enum Kind: UInt64 { case hot, warm, cold }

  private let seed: UInt64
  private var onSince: Double?
  private var lastTick = 0.0
  /// How long it has searched with sky, and how long it must.
  private var searched = 0.0
  private var needed = 0.0
  private var needsOrbits = false
  private(set) var hasFix = false
  private var fixesSince: Double?
  private var orbits: Double?
  private var totalOn = 0.0
  private(set) var starts = 0

  init(seed: UInt64) { self.seed = seed }

  var isOn: Bool { self.onSince != nil }

  func onTime(at now: Double) -> Double { self.totalOn + (self.onSince.map { now - $0 } ?? 0) }

  mutating func turn(on: Bool, at now: Double) {
    guard on != self.isOn else { return }
    if on {
      self.starts += 1
      self.onSince = now
      self.lastTick = now
      self.search(at: now)
    } else {
      self.totalOn += now - (self.onSince ?? now)
      self.onSince = nil
      self.hasFix = false
      self.fixesSince = nil
    }
  }

  private mutating func search(at now: Double) {
    self.hasFix = false
    self.fixesSince = nil
    self.searched = 0
    self.needed = self.duration(ofStartAt: now)
    self.needsOrbits = self.kind(at: now) != .hot
  }

  /// The end of a second.
  ///
  /// - Returns: Whether there is a fix.
  mutating func tick(at now: Double, hasSky: Bool) -> Bool {
    guard self.isOn else { return false }
    defer { self.lastTick = now }
    guard hasSky else {
      if self.hasFix || self.searched > 0 { self.search(at: now) }
      return false
    }
    if !self.hasFix {
      self.searched += now - self.lastTick
      guard self.searched >= self.needed else { return false }
      self.hasFix = true
      self.fixesSince = now
      if self.needsOrbits { self.orbits = now }
    }
    if let since = self.fixesSince, now - since >= 30 { self.orbits = now }
    return true
  }

  // MARK: Starts

  private func kind(at now: Double) -> Kind {
    guard let orbits else { return .cold }
    return now - orbits < 7200 ? .hot : now - orbits < 14400 ? .warm : .cold
  }

  /// Seconds.
  func duration(ofStartAt now: Double) -> Double { self.duration(self.kind(at: now), at: now) }

  /// How much longer a start at that moment takes if it is not hot.
  func costOfCooling(at now: Double) -> Double {
    self.duration(self.kind(at: now), at: now) - self.duration(.hot, at: now)
  }

  private func duration(_ kind: Kind, at now: Double) -> Double {
    var random = SeededRandom(seed: self.seed &* 1_000_003 &+ UInt64(now / 60) &* 7 &+ kind.rawValue)
    let luck = random.normal()
    switch kind {
    case .hot: return 1 + 1.2 * exp(0.6 * luck)
    case .warm: return 24 + 4 * exp(0.5 * luck)
    case .cold: return 28 + 6 * exp(0.6 * luck)
    }
  }
}
