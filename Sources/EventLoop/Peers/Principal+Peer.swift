import CLinux
import Glibc
package import Positioning

extension Principal {
  /// The number of no user, for a client of whom the kernel does not say whose it is. No rule can match it.
  package static let unknownUser = UInt32.max

  /// A client of whom nothing is known. What it may know, the default decides.
  package static let unknown = Principal(withoutAccount: unknownUser)

  /// Nothing but the user's number is known.
  private init(withoutAccount uid: UInt32) {
    self.init(uid: uid, unit: .unknown)
    self.accountGroups = nil
  }

  /// The peer of a connected socket, by whatever the kernel says of it: at once, and without names.
  ///
  /// - Throws: when the socket is not a connected one of Unix or TCP.
  package init(peerOf socket: FileDescriptor) throws(SystemError) {
    if case .memory(let stream) = socket.handle {
      self = try stream.peer()
      return
    }
    switch try socket.family("ask for the peer") {
    case AF_INET, AF_INET6: try self.init(tcpPeerOf: socket)
    default: try self.init(unixPeerOf: socket)
    }
  }

  /// The owner of the other end of a TCP connection within this machine: the user who made that socket. The kernel knows
  /// neither its process nor its groups.
  private init(tcpPeerOf socket: FileDescriptor) throws(SystemError) {
    var uid: UInt32 = 0
    guard unsafe clinux_tcp_peer_owner(socket.rawValue, &uid) != 0 else {
      self.init(withoutAccount: uid)
      return
    }
    let error = SystemError.last("ask for the owner of the peer's socket")
    guard error.code != ENOTCONN else { throw error }
    self = .unknown
  }

  /// The peer of a Unix socket, as the kernel recorded it at connect; its unit is the present one. The setgid bit of a
  /// program changes the primary group alone, and a login has that one among the further groups too.
  private init(unixPeerOf socket: FileDescriptor) throws(SystemError) {
    var pid: pid_t = 0
    var uid: uid_t = 0
    var gid: gid_t = 0
    _ = try SystemError.check(
      unsafe clinux_peer_credentials(socket.rawValue, &pid, &uid, &gid), "ask for the peer's credentials")
    // For a socket without a peer the kernel's answer is empty.
    guard pid != 0 else { throw SystemError(code: ENOTCONN, call: "ask for the peer's credentials") }
    let further = try Self.groups(ofPeerOf: socket)
    self.init(uid: uid, gid: gid, pid: pid, groups: further, unit: PeerUnit(ofPeerOf: socket))
    self.isGroupBorrowed = !further.contains(gid)
    self.accountGroups = nil
  }

  private static func groups(ofPeerOf socket: FileDescriptor) throws(SystemError) -> [UInt32] {
    var groups = [gid_t](repeating: 0, count: 64)
    while true {
      let count = Int(
        try SystemError.check(
          unsafe clinux_peer_groups(socket.rawValue, &groups, Int32(groups.count)), "ask for the peer's groups"))
      if count <= groups.count { return Array(groups.prefix(count)) }
      groups = [gid_t](repeating: 0, count: count)
    }
  }
}

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
