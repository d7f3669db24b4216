package import Positioning

/// When a growing recording is saved, so that a crash loses little: the first fix at once, later ones together.
package struct SavingSchedule: Hashable, Sendable {
  /// The longest time that a fix waits.
  let interval: Duration
  /// The most fixes that wait; `nil`: only the time counts.
  let fixes: Int?
  private var waiting = 0
  private var hasTried = false
  /// When the waiting fixes must be saved.
  package private(set) var due: Instant?

  init(interval: Duration, fixes: Int?) {
    self.interval = interval
    self.fixes = fixes
  }

  /// A fix was recorded.
  ///
  /// - Returns: Whether to save now.
  package mutating func fixed(now: Instant) -> Bool {
    guard self.hasTried else { return true }
    self.waiting += 1
    let due = self.due ?? now + self.interval
    self.due = due
    return now >= due || self.fixes.map { self.waiting == $0 } ?? false
  }

  /// Everything was saved.
  package mutating func saved() {
    (self.waiting, self.hasTried, self.due) = (0, true, nil)
  }

  /// Saving failed, and is tried again later.
  package mutating func failed(now: Instant) {
    (self.hasTried, self.due) = (true, now + self.interval)
  }
}

extension TrackFormat {
  /// A drawing is drawn again each time; a text only grows.
  var savingSchedule: SavingSchedule {
    switch self {
    case .gpx, .geojson: SavingSchedule(interval: .seconds(10), fixes: 100)
    case .svg: SavingSchedule(interval: .seconds(60), fixes: nil)
    }
  }
}
