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
