package import Positioning

/// Who a peer is, by what the system has about its number.
extension Principal {
  /// The peer while its user is looked up: a subordinate number counts as one of its range.
  package init(unnamed peer: Principal, _ claim: SubordinateNumbers.Claim?) {
    self = peer
    guard let claim else { return }
    self.uid = claim.number
    self.subordinate = peer.uid
  }

  /// The peer as the user whose number it has. A subordinate number is its owner's; with root as the owner, or an owner
  /// who does not exist, the whole range is one user without a name.
  ///
  /// `nil`: the groups of a client of which the kernel does not know them cannot be looked up. A rule that denies a group
  /// must not fail to match.
  ///
  /// - Parameters:
  ///   - claim: Whose number it may be.
  ///   - lookup: The account of the number, or of the number's owner.
  package init?(
    _ peer: Principal, _ claim: SubordinateNumbers.Claim?, _ lookup: AccountLookup<Account>
  ) {
    self.init(unnamed: peer, claim)
    switch lookup {
    case .found(let account) where account.number != 0 || peer.uid == 0:
      if peer.gid == nil {
        self = Principal(uid: account.number, gid: account.groups.first, groups: account.groups, unit: peer.unit)
      }
      self.uid = account.number
      self.user = account.name
      self.accountGroups = account.groups
      self.subordinate = account.number == peer.uid ? nil : peer.uid
    case .found, .absent:
      // Nobody is in a group, unless the owners themselves are unknown.
      self.accountGroups = claim?.owners.isEmpty ?? false ? nil : []
    case .unknown:
      guard peer.gid != nil else { return nil }
      self.accountGroups = nil
    }
  }
}
