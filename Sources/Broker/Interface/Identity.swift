/// One connection of one client. Never reused while the daemon lives.
package struct ClientID: Hashable, Comparable, Sendable {
  package let value: UInt64

  package init(_ value: UInt64) { self.value = value }

  package static func < (left: ClientID, right: ClientID) -> Bool { left.value < right.value }
}

/// One call that awaits its answer.
package struct CallID: Hashable, Sendable {
  package let client: ClientID
  /// Rises with each call of the client.
  package let serial: UInt64

  package init(client: ClientID, serial: UInt64) {
    self.client = client
    self.serial = serial
  }
}

/// One subscription of one holder. Numbers count from 1 for each client.
package struct SubscriptionID: Hashable, Comparable, Sendable {
  package let holder: Holder
  package let number: Int

  package init(holder: Holder, number: Int) {
    self.holder = holder
    self.number = number
  }

  package init(client: ClientID, number: Int) { self.init(holder: .client(client), number: number) }

  package static func < (left: SubscriptionID, right: SubscriptionID) -> Bool {
    (left.holder, left.number) < (right.holder, right.number)
  }
}

/// Who a client is. All but the last two are the kernel's word, and the system's; `name` and `purpose` are the program's own. A durable name
/// has no process, and stands under its own name.
package struct Principal: Hashable, Sendable {
  package var uid: UInt32
  package var gid: UInt32?
  package var pid: Int32?
  /// All groups, the primary one first.
  package var groups: [UInt32]
  package var user: String?
  package var unit: PeerUnit
  package var name: String?
  package var purpose: String?

  package init(
    uid: UInt32, gid: UInt32? = nil, pid: Int32? = nil, groups: [UInt32] = [], user: String? = nil,
    unit: PeerUnit = .none, name: String? = nil, purpose: String? = nil
  ) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
    let primary = gid.map { [$0] } ?? []
    self.groups = primary + groups.filter { $0 != gid }
    self.user = user
    self.unit = unit
    self.name = name
    self.purpose = purpose
  }
}

/// The system unit that a client belongs to.
package enum PeerUnit: Hashable, Sendable {
  case named(String)
  /// It belongs to none: a user's own units, and sessions, are none.
  case none
  /// The kernel cannot say safely.
  case unknown
}

/// Whose a durable name is, by the system's word of now.
package enum NameOwner: Hashable, Sendable {
  case user(String, groups: [UInt32])
  /// The number belongs to nobody.
  case nobody
  /// The system could not say.
  case unknown
}
