/// Values by key, in the order of insertion, so that the same events always give the same actions in the same order.
///
/// Finding, adding and removing one takes the same time for any number: a removed value leaves its place empty, and the
/// table is compacted once most places are empty.
struct OrderedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Slot: Sendable {
    let key: Key
    /// `nil` if it was removed.
    var value: Value?
  }

  private var slots: [Slot] = []
  private var places: [Key: Int] = [:]
  /// No slot before this one holds a value, so that the first is found at once.
  private var start = 0

  var count: Int { self.places.count }
  var isEmpty: Bool { self.places.isEmpty }
  var keys: [Key] { self.slots[self.start...].compactMap { $0.value == nil ? nil : $0.key } }
  var all: [Value] { self.slots[self.start...].compactMap { $0.value } }
  var firstKey: Key? { self.isEmpty ? nil : self.slots[self.start].key }

  subscript(key: Key) -> Value? {
    get { self.places[key].flatMap { self.slots[$0].value } }
    set {
      switch (self.places[key], newValue) {
      case (let place?, let value?):
        self.slots[place].value = value
      case (nil, let value?):
        self.places[key] = self.slots.count
        self.slots.append(Slot(key: key, value: value))
      case (let place?, nil):
        self.slots[place].value = nil
        self.places[key] = nil
        self.skipEmpty()
        if self.slots.count > 16, self.slots.count > 2 * self.places.count { self.compact() }
      case (nil, nil):
        break
      }
    }
  }

  /// At most so many values, from the first or from the one after a key on, and how many follow.
  func page(after key: Key?, atMost limit: Int) -> (values: [Value], omitted: Int) {
    let start = key.flatMap { self.places[$0] }.map { $0 + 1 } ?? self.start
    var values: [Value] = []
    var omitted = 0
    for slot in self.slots[start...] {
      guard let value = slot.value else { continue }
      if values.count < limit { values.append(value) } else { omitted += 1 }
    }
    return (values, omitted)
  }

  func compactMap<Result>(_ body: (Value) -> Result?) -> [Result] {
    self.slots[self.start...].compactMap { $0.value.flatMap(body) }
  }

  /// Changes every value in place, in order.
  mutating func forEach(_ body: (inout Value) -> Void) {
    for place in self.slots.indices where self.slots[place].value != nil {
      self.change(place, body)
    }
  }

  /// Changes one value in place.
  @discardableResult
  mutating func modify<Result>(_ key: Key, _ body: (inout Value) -> Result) -> Result? {
    self.places[key].flatMap { self.change($0, body) }
  }

  /// Removes all values whose keys match, in one pass.
  mutating func removeAll(where matches: (Key) -> Bool) {
    for place in self.slots.indices where self.slots[place].value != nil && matches(self.slots[place].key) {
      self.places[self.slots[place].key] = nil
      self.slots[place].value = nil
    }
    self.compact()
  }

  @discardableResult
  private mutating func change<Result>(_ place: Int, _ body: (inout Value) -> Result) -> Result? {
    // Taken out during the change, so that it is changed in place and not copied.
    guard var value = self.slots[place].value.take() else { return nil }
    let result = body(&value)
    self.slots[place].value = value
    return result
  }

  /// Each slot is skipped once, however often the first value is removed.
  private mutating func skipEmpty() {
    while self.start < self.slots.count, self.slots[self.start].value == nil { self.start += 1 }
  }

  private mutating func compact() {
    self.slots.removeAll { $0.value == nil }
    self.start = 0
    for (place, slot) in self.slots.enumerated() { self.places[slot.key] = place }
  }
}
