import Positioning

/// What is judged by the fixes of a view.
protocol Viewed: Sendable {
  /// `nil`: its client may know none.
  var seenView: FixViewKey? { get }
}

extension PendingRequest: Viewed {
  var seenView: FixViewKey? { self.view }
}

extension PositionSubscription: Viewed {
  var seenView: FixViewKey? { self.view }
}

extension VisitSubscription: Viewed {
  var seenView: FixViewKey? { self.view }
}

/// Values by key, by whose they are, and by the view whose fixes they are judged by: a fix touches those alone.
struct ViewedTable<Key: Owned, Value: Viewed>: Sendable {
  private var table = OwnedTable<Key, Value>()
  private var views = Grouping<Key, FixViewKey?>()

  var count: Int { self.table.count }
  var isEmpty: Bool { self.table.isEmpty }
  var keys: [Key] { self.table.keys }
  var all: [Value] { self.table.all }

  func keys(of owner: Key.Owner) -> [Key] { self.table.keys(of: owner) }

  /// In the order in which they came into the view.
  func keys(in view: FixViewKey?) -> [Key] { self.views.members(of: view) }

  func count(in precision: Precision) -> Int {
    self.views.all.reduce(0) { $0 + ($1?.precision == precision ? self.views.count(of: $1) : 0) }
  }

  subscript(key: Key) -> Value? {
    get { self.table[key] }
    set {
      self.table[key] = newValue
      if let newValue { self.views.put(key, in: newValue.seenView) } else { self.views.remove(key) }
    }
  }

  /// Whether any value fits, without a copy of all.
  func contains(where fits: (Value) -> Bool) -> Bool { self.table.contains(where: fits) }

  /// Changes every value in place, in order; none moves to another view by it.
  mutating func forEach(_ body: (inout Value) -> Void) { self.table.forEach(body) }

  /// The same for those of one view.
  mutating func forEach(in view: FixViewKey?, _ body: (inout Value) -> Void) {
    for key in self.views.members(of: view) { self.table.modify(key, body) }
  }

  /// Changes one value in place.
  @discardableResult
  mutating func modify<Result>(_ key: Key, _ body: (inout Value) -> Result) -> Result? {
    var view: FixViewKey??
    let result = self.table.modify(key) { value in
      defer { view = .some(value.seenView) }
      return body(&value)
    }
    if let view { self.views.put(key, in: view) }
    return result
  }

  mutating func removeAll(of owner: Key.Owner) {
    for key in self.table.keys(of: owner) { self[key] = nil }
  }

  mutating func removeAll() { self = ViewedTable() }
}
