import Glibc
import Positioning
import ReceiverSimulator

/// A receiver: how long its starts take, by what it still knows of the satellites, and what it drew.
///
/// Before a fix is reported, gpsd must have opened it. While it saves power it reports as before, and draws less from 30 s
/// after its first fix on, when it has the orbits.
///
/// It has collected the orbits of the satellites once it had fixes for 30 s without a break, or when a start that had to
/// collect them is over. With orbits younger than 2 hours a start is hot, with those younger than 4 hours warm, and
/// otherwise cold. How long one takes is a function of the seed and of the minute in which it begins, so that all
/// strategies that start in the same minute have the same luck.
struct ReceiverModel {
  private enum Kind: UInt64 { case hot, warm, cold }

  private let seed: UInt64
  private let opening: Opening
  private let currents = Currents.samM8Q
  private var onSince: Double?
  private var lastTick = 0.0
  /// How long it has searched with sky, and how long it must.
  private var searched = 0.0
  private var needed = 0.0
  private var needsOrbits = false
  /// Whether it has its place, and whether that is reported.
  private var isLocked = false
  private(set) var hasFix = false
  private var fixesSince: Double?
  /// Whether it is to save power.
  var mayDrawLess = false
  /// What it drew until then, in mA·s.
  private var drawn = (charge: 0.0, at: 0.0)
  private var orbits: Double?
  private var totalOn = 0.0
  private(set) var starts = 0

  init(seed: UInt64, opening: Opening) {
    self.seed = seed
    self.opening = opening
  }

  var isOn: Bool { self.onSince != nil }

  func onTime(at now: Double) -> Double { self.totalOn + (self.onSince.map { now - $0 } ?? 0) }

  // MARK: The charge

  /// Whether it draws less now, because it saves power.
  func isDrawingLess(at now: Double) -> Bool {
    self.mayDrawLess && self.isLocked && self.fixesSince.map { now - $0 >= Self.collecting } ?? false
  }

  /// mA.
  private func current(at now: Double) -> Double {
    guard let onSince, now - onSince >= self.opening.stopped else { return self.currents.standby }
    guard self.isLocked else { return self.currents.acquisition }
    return self.isDrawingLess(at: now) ? self.currents.saving : self.currents.tracking
  }

  /// mA·s.
  mutating func charge(at now: Double) -> Double {
    self.drawn = (self.drawn.charge + self.current(at: self.drawn.at) * (now - self.drawn.at), now)
    return self.drawn.charge
  }

  /// What a start at that moment draws until its fix, and what staying on until then does; mA·s.
  ///
  /// - Parameter isBeat: Whether it would stay on for longer, and so save power in the end.
  func costs(ofStartAt start: Double, insteadOfStayingFrom now: Double, until due: Double, isBeat: Bool) -> (
    start: Double, stay: Double
  ) {
    let isSaving = isBeat && self.mayDrawLess || self.isDrawingLess(at: now)
    let stay = isSaving ? self.currents.saving : self.currents.tracking
    return (
      (due - start - self.opening.stopped) * self.currents.acquisition + (start - now) * self.currents.standby,
      (due - now) * stay
    )
  }

  mutating func turn(on: Bool, at now: Double) {
    guard on != self.isOn else { return }
    _ = self.charge(at: now)
    if on {
      self.starts += 1
      self.onSince = now
      self.lastTick = now
      self.search(at: now)
    } else {
      self.totalOn += now - (self.onSince ?? now)
      self.onSince = nil
      (self.isLocked, self.hasFix) = (false, false)
      self.fixesSince = nil
    }
  }

  private mutating func search(at now: Double) {
    (self.isLocked, self.hasFix) = (false, false)
    self.fixesSince = nil
    self.searched = 0
    self.needed = self.duration(self.kind(at: now), at: now)
    self.needsOrbits = self.kind(at: now) != .hot
  }

  /// The end of a second.
  ///
  /// - Returns: Whether there is a fix.
  mutating func tick(at now: Double, hasSky: Bool) -> Bool {
    guard let onSince else { return false }
    _ = self.charge(at: now)
    let searchesFrom = max(self.lastTick, onSince + self.opening.stopped)
    defer { self.lastTick = now }
    guard hasSky else {
      if self.isLocked || self.searched > 0 { self.search(at: now) }
      return false
    }
    if !self.isLocked {
      self.searched += max(0, now - searchesFrom)
      guard self.searched >= self.needed else { return false }
      self.isLocked = true
      self.fixesSince = now
      if self.needsOrbits { self.orbits = now }
    }
    if let since = self.fixesSince, now - since >= Self.collecting { self.orbits = now }
    self.hasFix = now - onSince >= self.opening.seconds
    return self.hasFix
  }

  // MARK: Starts

  /// Seconds until it has collected the orbits.
  static let collecting = 30.0

  private func kind(at now: Double) -> Kind {
    guard let orbits else { return .cold }
    return now - orbits < 7200 ? .hot : now - orbits < 14400 ? .warm : .cold
  }

  /// Seconds until a fix is reported.
  func duration(ofStartAt now: Double) -> Double { self.reported(self.duration(self.kind(at: now), at: now)) }

  private func reported(_ search: Double) -> Double { max(self.opening.seconds, self.opening.stopped + search) }

  /// How much longer a start at that moment takes if it is not hot.
  func costOfCooling(at now: Double) -> Double {
    self.duration(ofStartAt: now) - self.reported(self.duration(.hot, at: now))
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
