import Positioning

/// What something asks of the receiver.
enum Need: Hashable, Sendable {
  case none
  /// It must be on.
  case now
  /// It must be on from that moment, and may sleep until then.
  case from(Instant)
}

/// Who needs the receiver, now or later. Asking and changing one's need costs the same however many there are.
struct NeedLedger<Key: Hashable & Sendable>: Sendable {
  private var current: Set<Key> = []
  private var later = DeadlineQueue<Key>()
  /// Whose need was set since it was asked last.
  private var touched: [Key] = []

  /// Those whose need was set since it was asked last, whether it changed by that or not; some twice.
  mutating func takeTouched() -> [Key] {
    defer { self.touched = [] }
    return self.touched
  }

  mutating func set(_ need: Need, for key: Key) {
    self.touched.append(key)
    switch need {
    case .none:
      self.current.remove(key)
      self.later.set(nil, for: key)
    case .now:
      self.current.insert(key)
      self.later.set(nil, for: key)
    case .from(let due):
      self.current.remove(key)
      self.later.set(due, for: key)
    }
  }

  func isNeeded(by key: Key) -> Bool { self.current.contains(key) }

  /// Whether anybody needs it now.
  var isNeeded: Bool { !self.current.isEmpty }

  /// When the next one will who does not now.
  var nextDue: Instant? { self.later.next }
}
