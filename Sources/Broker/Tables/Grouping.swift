/// Which group each member is in, and the members of each group in the order in which they came into it.
///
/// Who asks for the members of one group pays for those alone, however many groups there are.
struct Grouping<Member: Hashable & Sendable, Group: Hashable & Sendable>: Sendable {
  private var groups: [Group: OrderedTable<Member, Void>] = [:]
  private var places: [Member: Group] = [:]

  /// The groups that have a member.
  var all: Dictionary<Group, OrderedTable<Member, Void>>.Keys { self.groups.keys }

  func members(of group: Group) -> [Member] { self.groups[group]?.keys ?? [] }

  func count(of group: Group) -> Int { self.groups[group]?.count ?? 0 }

  func group(of member: Member) -> Group? { self.places[member] }

  /// Whether any member of the group fits, asked in order until one does.
  func contains(in group: Group, where fits: (Member) -> Bool) -> Bool {
    self.groups[group]?.containsKey(where: fits) ?? false
  }

  /// Puts a member into a group. One that is in it already keeps its place.
  mutating func put(_ member: Member, in group: Group) {
    if let old = self.places[member] {
      guard old != group else { return }
      self.take(member, from: old)
    }
    self.places[member] = group
    self.groups[group, default: OrderedTable()][member] = ()
  }

  mutating func remove(_ member: Member) {
    if let old = self.places.removeValue(forKey: member) { self.take(member, from: old) }
  }

  private mutating func take(_ member: Member, from group: Group) {
    self.groups[group]?[member] = nil
    if self.groups[group]?.isEmpty ?? false { self.groups[group] = nil }
  }
}
