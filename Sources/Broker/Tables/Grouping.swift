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

  /// Whether any member of the group matches, checked in order.
  func contains(in group: Group, where fits: (Member) -> Bool) -> Bool {
    self.groups[group]?.containsKey(where: fits) ?? false
  }

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
