/// Values by key, in the order in which they came: the same events always give the same actions in the same order.
struct OrderedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private(set) var keys: [Key] = []
  private var values: [Value] = []
  private var places: [Key: Int] = [:]

  var count: Int { self.keys.count }
  var isEmpty: Bool { self.keys.isEmpty }
  var all: [Value] { self.values }

  subscript(key: Key) -> Value? {
    get { self.places[key].map { self.values[$0] } }
    set {
      switch (self.places[key], newValue) {
      case (let place?, let value?):
        self.values[place] = value
      case (nil, let value?):
        self.places[key] = self.keys.count
        self.keys.append(key)
        self.values.append(value)
      case (_?, nil):
        self.removeAll { $0 == key }
      case (nil, nil):
        break
      }
    }
  }

  /// Changes every value in place, in order.
  mutating func forEach(_ body: (inout Value) -> Void) {
    for place in self.values.indices { body(&self.values[place]) }
  }

  /// Changes one value in place.
  mutating func modify<Result>(_ key: Key, _ body: (inout Value) -> Result) -> Result? {
    guard let place = self.places[key] else { return nil }
    return body(&self.values[place])
  }

  /// Removes in one pass all whose keys match.
  mutating func removeAll(where matches: (Key) -> Bool) {
    var kept = 0
    for place in self.keys.indices {
      if matches(self.keys[place]) {
        self.places[self.keys[place]] = nil
        continue
      }
      if kept != place {
        self.keys.swapAt(kept, place)
        self.values.swapAt(kept, place)
        self.places[self.keys[kept]] = kept
      }
      kept += 1
    }
    self.keys.removeLast(self.keys.count - kept)
    self.values.removeLast(self.values.count - kept)
  }
}
