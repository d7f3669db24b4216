import Positioning

/// A key with an owner.
protocol Owned: Hashable, Sendable {
  associatedtype Owner: Hashable & Sendable

  var owner: Owner { get }
}

extension CallID: Owned {
  var owner: ClientID { self.client }
}

extension SubscriptionID: Owned {
  var owner: Holder { self.holder }
}

extension DurableID: Owned {
  var owner: UInt32 { self.uid }
}

/// Values by key, in the order of insertion, and by owner: operations on one owner do not depend on the number of the
/// others.
struct OwnedTable<Key: Owned, Value: Sendable>: Sendable {
  private var table = OrderedTable<Key, Value>()
  private var owners = Grouping<Key, Key.Owner>()

  var count: Int { self.table.count }
  var isEmpty: Bool { self.table.isEmpty }
  var keys: [Key] { self.table.keys }
  var all: [Value] { self.table.all }
  /// The owners, in no order.
  var allOwners: some Collection<Key.Owner> { self.owners.all }

  func keys(of owner: Key.Owner) -> [Key] { self.owners.members(of: owner) }

  func compactMap<Result>(_ body: (Value) -> Result?) -> [Result] { self.table.compactMap(body) }

  func count(of owner: Key.Owner) -> Int { self.owners.count(of: owner) }

  subscript(key: Key) -> Value? {
    get { self.table[key] }
    set {
      self.table[key] = newValue
      if newValue == nil { self.owners.remove(key, from: key.owner) } else { self.owners.put(key, in: key.owner) }
    }
  }

  /// Changes every value in place, in order.
  mutating func forEach(_ body: (inout Value) -> Void) { self.table.forEach(body) }

  /// Changes one value in place.
  @discardableResult
  mutating func modify<Result>(_ key: Key, _ body: (inout Value) -> Result) -> Result? {
    self.table.modify(key, body)
  }
}

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

  func compactMap<Result>(_ body: (Value) -> Result?) -> [Result] { self.table.compactMap(body) }

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

/// The members of each group, in the order in which they joined it. The group of a member follows from the member or
/// its value.
///
/// Reading the members of one group costs the same however many groups there are.
struct Grouping<Member: Hashable & Sendable, Group: Hashable & Sendable>: Sendable {
  private var groups: [Group: OrderedTable<Member, Void>] = [:]

  /// The groups with members.
  var all: Dictionary<Group, OrderedTable<Member, Void>>.Keys { self.groups.keys }

  func members(of group: Group) -> [Member] { self.groups[group]?.keys ?? [] }

  func count(of group: Group) -> Int { self.groups[group]?.count ?? 0 }

  /// Adds a member to a group. One that is in it already keeps its place.
  mutating func put(_ member: Member, in group: Group) { self.groups[group, default: OrderedTable()][member] = () }

  mutating func remove(_ member: Member, from group: Group) {
    self.groups[group]?[member] = nil
    if self.groups[group]?.isEmpty ?? false { self.groups[group] = nil }
  }

  /// Moves a member from one group to another; `nil`: it is in none.
  mutating func move(_ member: Member, from old: Group?, to new: Group?) {
    guard old != new else { return }
    if let old { self.remove(member, from: old) }
    if let new { self.put(member, in: new) }
  }
}
