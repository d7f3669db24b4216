/// What was decided of one thing since the store last confirmed a decision, oldest first.
///
/// What counts is reckoned from all of it: the confirmed value, narrowed by each decision that waits for the store. So
/// what takes something away counts at once, what gives something counts once it is confirmed, and a confirmation that
/// comes late undoes nothing that was decided later.
struct DecisionTrail<Value: Hashable & Sendable>: Sendable {
  /// What is left of the first value where the second takes something away; the second itself where it gives nothing.
  typealias Narrowing = (Value, Value) -> Value

  private struct Entry: Hashable, Sendable {
    var number: UInt64
    var value: Value
    /// Whether the store has it, or is about to; where it refused it, it is given to it again.
    var isSubmitted: Bool
  }

  /// What the store confirmed last.
  private var confirmed: Value
  private var waiting: [Entry] = []

  init(_ confirmed: Value) { self.confirmed = confirmed }

  /// What counts now.
  func counted(_ narrow: Narrowing) -> Value { self.counted(before: self.waiting.endIndex, narrow) }

  /// What was decided last, whether it counts yet or not.
  var newest: Value { self.waiting.last?.value ?? self.confirmed }

  /// Whether all that was decided is confirmed.
  var isSettled: Bool { self.waiting.isEmpty }

  /// Whether nothing was decided after it.
  func isNewest(_ number: UInt64) -> Bool { self.waiting.last?.number == number }

  /// Whether it takes away only, so that it counts whole while it waits.
  func countsAlready(_ number: UInt64, _ narrow: Narrowing) -> Bool {
    guard let place = self.place(of: number) else { return false }
    return self.counted(before: place + 1, narrow) == self.waiting[place].value
  }

  mutating func decide(_ value: Value, number: UInt64) {
    self.waiting.append(Entry(number: number, value: value, isSubmitted: true))
  }

  /// It is on the disk. What was decided before it counts no more; what was decided later is looked at as before.
  mutating func confirm(_ number: UInt64) {
    guard let place = self.place(of: number) else { return }
    self.confirmed = self.waiting[place].value
    self.waiting.removeFirst(place + 1)
  }

  /// The store has not taken it.
  mutating func refused(_ number: UInt64) {
    if let place = self.place(of: number) { self.waiting[place].isSubmitted = false }
  }

  /// Takes back what a decision gives; what it takes away stays.
  ///
  /// - Parameter isSubmitted: whether the store may still make it last, so that it must be corrected there.
  mutating func undo(_ number: UInt64, isSubmitted: Bool, _ narrow: Narrowing) {
    guard let place = self.place(of: number) else { return }
    let before = self.counted(before: place, narrow)
    let rest = narrow(before, self.waiting[place].value)
    guard rest != before || (isSubmitted && self.isNewest(number)) else {
      self.waiting.remove(at: place)
      return
    }
    self.waiting[place].value = rest
    self.waiting[place].isSubmitted = false
  }

  /// The newest decision goes to the store under another number, if that does not have it; returns its value.
  mutating func resubmit(number: UInt64) -> Value? {
    guard var last = self.waiting.popLast() else { return nil }
    defer { self.waiting.append(last) }
    guard !last.isSubmitted else { return nil }
    last.number = number
    last.isSubmitted = true
    return last.value
  }

  private func counted(before end: Int, _ narrow: Narrowing) -> Value {
    self.waiting[..<end].reduce(self.confirmed) { narrow($0, $1.value) }
  }

  private func place(of number: UInt64) -> Int? { self.waiting.firstIndex { $0.number == number } }
}
