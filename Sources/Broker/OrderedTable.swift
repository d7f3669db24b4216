/// Values by key, in the order in which they came: the same events always give the same actions in the same order.
///
/// Finding, adding and removing one costs the same however many there are: what is removed leaves its place empty, and
/// the places are closed up once most are empty.
struct OrderedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Slot: Sendable {
    let key: Key
    /// `nil` where it was removed.
    var value: Value?
  }

  private var slots: [Slot] = []
  private var places: [Key: Int] = [:]

  var count: Int { self.places.count }
  var isEmpty: Bool { self.places.isEmpty }
  var keys: [Key] { self.slots.compactMap { $0.value == nil ? nil : $0.key } }
  var all: [Value] { self.slots.compactMap { $0.value } }

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
        if self.slots.count > 16, self.slots.count > 2 * self.places.count { self.closeUp() }
      case (nil, nil):
        break
      }
    }
  }

  /// Whether any value fits, without a copy of all.
  func contains(where fits: (Value) -> Bool) -> Bool {
    self.slots.contains { $0.value.map(fits) ?? false }
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

  /// Removes in one pass all whose keys match.
  mutating func removeAll(where matches: (Key) -> Bool) {
    for place in self.slots.indices where self.slots[place].value != nil && matches(self.slots[place].key) {
      self.places[self.slots[place].key] = nil
      self.slots[place].value = nil
    }
    self.closeUp()
  }

  @discardableResult
  private mutating func change<Result>(_ place: Int, _ body: (inout Value) -> Result) -> Result? {
    // Taken out while it changes, so that it is changed in place and not copied.
    guard var value = self.slots[place].value.take() else { return nil }
    let result = body(&value)
    self.slots[place].value = value
    return result
  }

  private mutating func closeUp() {
    self.slots.removeAll { $0.value == nil }
    for (place, slot) in self.slots.enumerated() { self.places[slot.key] = place }
  }
}
