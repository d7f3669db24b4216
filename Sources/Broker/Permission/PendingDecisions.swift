/// All decisions about one thing since the last one that the store has confirmed, oldest first.
///
/// The value in force is computed from all of them: the confirmed value, restricted by each waiting decision. So a
/// denial takes effect at once, a grant once it is confirmed, and a late confirmation undoes no later decision.
struct PendingDecisions<Value: Hashable & Sendable>: Sendable {
  /// The first value, as far as the second restricts it; or the second, if it grants nothing.
  typealias Narrowing = (Value, Value) -> Value

  private struct Entry: Hashable, Sendable {
    var number: UInt64
    var value: Value
    /// Whether the store has it, or will; a rejected decision is given to it again.
    var isSubmitted: Bool
  }

  /// The last confirmed value.
  private var confirmed: Value
  private var waiting: [Entry] = []

  init(_ confirmed: Value) { self.confirmed = confirmed }

  /// The confirmed value is known only now; what was decided meanwhile stays.
  mutating func restore(_ confirmed: Value) { self.confirmed = confirmed }

  /// The value in force.
  func counted(_ narrow: Narrowing) -> Value { self.counted(before: self.waiting.endIndex, narrow) }

  /// The last decision, in force or not.
  var newest: Value { self.waiting.last?.value ?? self.confirmed }

  /// Whether all decisions are confirmed.
  var isSettled: Bool { self.waiting.isEmpty }

  /// Whether it is the last decision.
  func isNewest(_ number: UInt64) -> Bool { self.waiting.last?.number == number }

  /// Whether it only restricts, so that it is in force while it waits.
  func countsAlready(_ number: UInt64, _ narrow: Narrowing) -> Bool {
    guard let place = self.place(of: number) else { return false }
    return self.counted(before: place + 1, narrow) == self.waiting[place].value
  }

  mutating func decide(_ value: Value, number: UInt64) {
    self.waiting.append(Entry(number: number, value: value, isSubmitted: true))
  }

  /// The decision is on the disk. Earlier ones have no effect any more; later ones are applied as before.
  mutating func confirm(_ number: UInt64) {
    guard let place = self.place(of: number) else { return }
    self.confirmed = self.waiting[place].value
    self.waiting.removeFirst(place + 1)
  }

  /// The store has rejected it.
  mutating func refused(_ number: UInt64) {
    if let place = self.place(of: number) { self.waiting[place].isSubmitted = false }
  }

  /// Removes what a decision grants; what it denies stays.
  ///
  /// - Parameter isSubmitted: Whether the store may still commit it, so that it must be corrected there.
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

  /// Gives the newest decision to the store with another number, if the store does not have it; returns its value.
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
