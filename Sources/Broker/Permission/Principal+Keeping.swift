import Positioning

extension Principal {
  /// The numbers that systemd lends to services with `DynamicUser=`, and reuses for others.
  package static let dynamicUsers: ClosedRange<UInt32> = 61184...65519

  /// Whether anything may be stored for the client's user: it has a name, and a permanent number.
  package var mayKeep: Bool { self.user != nil && !Self.dynamicUsers.contains(self.uid) }

  var isRoot: Bool { self.uid == 0 }

  /// Whether the number is a subordinate one, and the system cannot say whose: it may be that of anybody who was denied.
  var isOwnerUnknown: Bool { self.subordinate != nil && self.accountGroups == nil }

  /// The groups of the process, without one that it may have from a program's setgid bit alone.
  var ownGroups: [UInt32] {
    guard self.isGroupBorrowed, let gid = self.gid, self.accountGroups?.contains(gid) != true else {
      return self.groups
    }
    return self.groups.filter { $0 != gid }
  }

  /// The groups by which a durable name of the user is judged: all that the process or the system has for the user.
  var holderGroups: [UInt32] {
    let own = self.ownGroups
    return own + (self.accountGroups ?? []).filter { !own.contains($0) }
  }
}

extension Principal {
  /// The user alone, without a process, since durable registrations belong to the user.
  var asHolder: Principal {
    var holder = Principal(
      uid: self.uid, groups: self.holderGroups, user: self.user, relay: self.relay, subordinate: self.subordinate)
    if self.accountGroups == nil { holder.accountGroups = nil }
    return holder
  }

  /// The user as the log and error messages name it.
  var description: String { "user \(self.user ?? "\(self.uid)")" }
}
