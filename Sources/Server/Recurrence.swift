import Positioning

/// What may happen again and again, and must not fill the log: it is told every ten seconds at the most.
struct Recurrence {
  private var count = 0
  private var told: Instant?

  /// How often it has happened since that was told last, if it is to be told now.
  mutating func happened(now: Instant) -> Int? {
    self.count += 1
    if let told, now - told < .seconds(10) { return nil }
    self.told = now
    defer { self.count = 0 }
    return self.count
  }
}
