/// The least of many values, most of which are equal to others: the cost depends on the number of different ones.
struct LeastValue<Value: Hashable & Comparable & Sendable>: Sendable {
  private var counts: [Value: Int] = [:]
  private var queue = LeastQueue<Value, Value>()

  var least: Value? { self.queue.next }

  mutating func add(_ value: Value) {
    let count = self.counts[value] ?? 0
    self.counts[value] = count + 1
    if count == 0 { self.queue.set(value, for: value) }
  }

  /// Removes one of the added values.
  mutating func remove(_ value: Value) {
    guard let count = self.counts[value] else { return }
    self.counts[value] = count > 1 ? count - 1 : nil
    if count == 1 { self.queue.set(nil, for: value) }
  }
}
