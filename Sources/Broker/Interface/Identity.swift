/// One connection of one client. Never reused while the daemon lives.
package struct ClientID: Hashable, Comparable, Sendable {
  package let value: UInt64

  package init(_ value: UInt64) { self.value = value }

  package static func < (left: ClientID, right: ClientID) -> Bool { left.value < right.value }
}

/// One call that waits for its answer.
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

/// The account of a durable name's owner, as the system knows it now. `EventLoop` has the lookups that it comes from, which
/// the broker does not know.
package enum OwnerAccount: Hashable, Sendable {
  case user(String, groups: [UInt32])
  /// No user has the number.
  case nobody
  /// The lookup failed.
  case unknown
}

/// The holder of subscriptions and regions: a client while it is connected, or a durable name, which outlives its
/// clients.
package enum Holder: Hashable, Comparable, Sendable {
  case client(ClientID)
  case durable(DurableID)

  /// `nil` for a durable name.
  package var client: ClientID? {
    if case .client(let id) = self { id } else { nil }
  }

  /// `nil` for a client.
  package var durable: DurableID? {
    if case .durable(let id) = self { id } else { nil }
  }
}

/// A durable name and its user. Registrations under it outlive clients and the daemon.
package struct DurableID: Hashable, Comparable, Sendable {
  package let uid: UInt32
  /// 1 to 64 bytes.
  package let name: String

  package init(uid: UInt32, name: String) {
    self.uid = uid
    self.name = name
  }

  package static func < (left: DurableID, right: DurableID) -> Bool {
    (left.uid, left.name) < (right.uid, right.name)
  }
}
