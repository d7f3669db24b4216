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
