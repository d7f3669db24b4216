/// A kind of socket at which clients connect, by what is spoken there. Behind each, a client has the same permission, the
/// same limits and the same effect on the receiver.
package enum Door: String, Hashable, Sendable, CaseIterable {
  /// positiond's own protocol.
  case rpc
  /// NMEA 0183, for programs that only read.
  case nmea
  /// gpsd's protocol.
  case gpsd

  /// `FileDescriptorName=` of its socket's unit.
  package var name: String { self.rawValue }
}
