import Positioning

/// The need of the receiver.
enum Need: Hashable, Sendable {
  case none
  /// The receiver must be on.
  case now
  /// A fix is due at this moment, and the receiver may sleep until it must be started for that. From then on it must be on.
  case from(Instant)
}

/// Several needs together.
struct Needs: Hashable, Sendable {
  /// Whether any of them is for now.
  private(set) var isNeeded = false
  /// The soonest later need.
  private(set) var nextDue: Instant?

  /// Whether nobody needs it, now or later.
  var isEmpty: Bool { !self.isNeeded && self.nextDue == nil }

  mutating func add(_ need: Need) {
    switch need {
    case .none: break
    case .now: self.isNeeded = true
    case .from(let due): self.nextDue = min(self.nextDue ?? due, due)
    }
  }

  mutating func add(_ others: Needs) {
    self.isNeeded = self.isNeeded || others.isNeeded
    if let due = others.nextDue { self.add(.from(due)) }
  }

  /// These needs if nothing can be delivered before a moment: none of them is earlier than that.
  func delayed(until due: Instant?) -> Needs {
    guard let due else { return self }
    var delayed = Needs()
    if self.isNeeded { delayed.add(.from(due)) }
    if let nextDue { delayed.add(.from(max(nextDue, due))) }
    return delayed
  }
}

/// The needs of many keys. A change costs O(log n), and the sum does not depend on their number.
struct SummedNeeds<Key: Hashable & Sendable>: Sendable {
  private var current = 0
  private var later = DeadlineQueue<Key>()

  /// - Parameter old: The value of the last change.
  mutating func change(_ key: Key, from old: Need, to new: Need) {
    guard old != new else { return }
    if old == .now { self.current -= 1 }
    if new == .now { self.current += 1 }
    if case .from(let due) = new {
      self.later.set(due, for: key)
    } else if case .from = old {
      self.later.set(nil, for: key)
    }
  }

  var isEmpty: Bool { self.current == 0 && self.later.next == nil }

  var together: Needs {
    var needs = Needs()
    if self.current > 0 { needs.add(.now) }
    if let due = self.later.next { needs.add(.from(due)) }
    return needs
  }
}

extension Demand {
  /// The merged demand, with the finest accuracy and the shortest interval; `nil` if there is none.
  static func merged(_ demands: some Sequence<Demand>) -> Demand? {
    var merged: Demand?
    var activity: Activity?
    for demand in demands {
      guard let soFar = merged else {
        merged = demand
        activity = demand.activity
        continue
      }
      if activity != demand.activity { activity = .other }
      merged = Demand(
        accuracy: min(soFar.accuracy, demand.accuracy), interval: min(soFar.interval, demand.interval),
        activity: activity ?? .other)
    }
    return merged
  }

  /// Whether this demand determines the merged rate.
  func isDecisive(for merged: Demand) -> Bool {
    self.interval.seconds <= (merged.interval.seconds + 1) * 1.5
  }
}
