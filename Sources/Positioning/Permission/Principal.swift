/// The identity of a client. Only `name` and `purpose` are the program's own statements; the rest comes from the kernel
/// and the system. A durable name has no process, and is shown with its own name.
public struct Principal: Hashable, Sendable {
  /// The user's number. Of a process with a subordinate number it is the owner's.
  public var uid: UInt32
  /// The primary group; on the wire it is only the first of the groups.
  public var gid: UInt32?
  /// The process that connected; a durable name has none.
  public var pid: Int32?
  /// The numbers of the groups, the primary one first.
  public var groups: [UInt32]
  /// The groups that the system has for the user, whatever groups the process has. `nil`: that is not known, because the
  /// lookup failed. They are not on the wire.
  public var accountGroups: [UInt32]?
  /// Whether the primary group is none of the process's further groups. Then it may come from a program's setgid bit,
  /// which is no membership. It is not on the wire.
  public var isGroupBorrowed = false
  /// The user's name, if the system has one.
  public var user: String?
  /// The system unit to which it belongs.
  public var unit: PeerUnit
  /// The program's own name for itself, or the durable name.
  public var name: String?
  /// What the program claims to need positions for.
  public var purpose: String?
  /// The user of the client that speaks for this one, if one does; a rule trusts it to say for whom it asks. Then the
  /// user is that client's word, the groups are those that the system has for that user, and the process is that
  /// client's.
  public var relay: UInt32?
  /// The process's own number, if that is a subordinate one of the user; it has no user, and is in a range of
  /// /etc/subuid.
  public var subordinate: UInt32?

  /// Until they are set, the user's groups are those of the process.
  public init(
    uid: UInt32, gid: UInt32? = nil, pid: Int32? = nil, groups: [UInt32] = [], user: String? = nil,
    unit: PeerUnit = .none, name: String? = nil, purpose: String? = nil, relay: UInt32? = nil,
    subordinate: UInt32? = nil
  ) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
    let primary = gid.map { [$0] } ?? []
    self.groups = primary + groups.filter { $0 != gid }
    self.accountGroups = self.groups
    self.user = user
    self.unit = unit
    self.name = name
    self.purpose = purpose
    self.relay = relay
    self.subordinate = subordinate
  }
}

/// The system unit to which a client belongs.
public enum PeerUnit: Hashable, Sendable {
  case named(String)
  /// It belongs to none: a user's own units, and sessions, are none. To a client of the daemon a unit that is not known
  /// is none, too.
  case none
  /// Unknown, because the kernel's answer is not certain.
  case unknown

  /// The unit's name, if it is certain.
  public var name: String? {
    if case .named(let name) = self { name } else { nil }
  }
}

/// A client as administrators see it.
public struct ClientInfo: Hashable, Sendable {
  /// Who the client is.
  public var principal: Principal
  /// What it may know.
  public var authorization: Authorization
  /// The client's requests in flight.
  public var requests: Int
  /// The client's subscriptions.
  public var subscriptions: Int
  /// The client's regions that end with the connection.
  public var regions: Int

  public init(
    principal: Principal, authorization: Authorization, requests: Int, subscriptions: Int, regions: Int
  ) {
    self.principal = principal
    self.authorization = authorization
    self.requests = requests
    self.subscriptions = subscriptions
    self.regions = regions
  }
}
