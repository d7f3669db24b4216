/// A value that belongs to a group, such as all that are judged by the same fixes.
protocol Grouped: Sendable {
  associatedtype Group: Hashable & Sendable

  var group: Group { get }
}

/// Values by key, by owner and by group: looking for one group does not visit the others.
struct GroupedTable<Key: Owned, Value: Grouped>: Sendable {
  private var table = OwnedTable<Key, Value>()
  private var groups = Grouping<Key, Value.Group>()

  var count: Int { self.table.count }
  var keys: [Key] { self.table.keys }

  func keys(of owner: Key.Owner) -> [Key] { self.table.keys(of: owner) }

  func count(of owner: Key.Owner) -> Int { self.table.count(of: owner) }

  /// In the order in which they joined the group.
  func keys(in group: Value.Group) -> [Key] { self.groups.members(of: group) }

  func count(in group: Value.Group) -> Int { self.groups.count(of: group) }

  /// The groups with members, in no order.
  var allGroups: some Collection<Value.Group> { self.groups.all }

  subscript(key: Key) -> Value? {
    get { self.table[key] }
    set {
      var old: Value.Group?
      self.table.modify(key) { old = $0.group }
      self.table[key] = newValue
      self.groups.move(key, from: old, to: newValue?.group)
    }
  }

  /// Changes every value of a group in place, in order; none may move to another group.
  mutating func forEach(in group: Value.Group, _ body: (inout Value) -> Void) {
    for key in self.groups.members(of: group) { self.table.modify(key, body) }
  }

  /// Changes every value in place, in order; none may move to another group.
  mutating func forEach(_ body: (inout Value) -> Void) { self.table.forEach(body) }

  /// Changes one value in place.
  @discardableResult
  mutating func modify<Result>(_ key: Key, _ body: (inout Value) -> Result) -> Result? {
    var (old, new): (Value.Group?, Value.Group?)
    let result = self.table.modify(key) { value in
      old = value.group
      defer { new = value.group }
      return body(&value)
    }
    self.groups.move(key, from: old, to: new)
    return result
  }
}
