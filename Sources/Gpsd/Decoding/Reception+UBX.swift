package import ReceiverPorts
package import UBX

/// What u-blox's messages say of the reception: NAV-STATUS, MON-HW, MON-RF and SEC-SIG, by u-blox's interface descriptions of
/// the generations 6 to 10. A state of 0, or one that they do not know, is none.
extension Reception {
  /// Whether messages of this kind are read.
  static func isStated(inMessage messageClass: UInt8, _ identifier: UInt8) -> Bool {
    switch (messageClass, identifier) {
    case (UBXFrame.MessageClass.navigation, UBXFrame.statusIdentifier),
      (UBXFrame.MessageClass.monitor, UBXFrame.hardwareIdentifier),
      (UBXFrame.MessageClass.monitor, UBXFrame.radioIdentifier),
      (UBXFrame.MessageClass.security, UBXFrame.signalSecurityIdentifier):
      true
    case _: false
    }
  }

  /// `nil` if the message is of another kind, has another length than its kind, or says nothing.
  package init?(statedIn frame: UBXFrame) {
    guard Self.isStated(inMessage: frame.messageClass, frame.identifier) else { return nil }
    let payload = frame.payload
    let stated: Reception? =
      switch frame.identifier {
      case UBXFrame.statusIdentifier: Self.status(payload)
      // MON-HW and SEC-SIG have one number, in different classes.
      case UBXFrame.hardwareIdentifier where frame.messageClass == UBXFrame.MessageClass.monitor:
        Self.hardware(payload)
      case UBXFrame.radioIdentifier: Self.radio(payload)
      case _: Self.signalSecurity(payload)
      }
    guard let stated, stated != Reception() else { return nil }
    self = stated
  }

  /// NAV-STATUS: flags2 has the spoofing state in bits 3 and 4.
  private static func status(_ payload: [UInt8]) -> Reception? {
    guard payload.count == 16 else { return nil }
    return Reception(spoofing: Spoofing(rawValue: payload[7] >> 3 & 3))
  }

  /// MON-HW: the jamming state is in bits 2 and 3 of its flags. The sixth generation has 25 pins, later ones 17.
  private static func hardware(_ payload: [UInt8]) -> Reception? {
    guard payload.count == 60 || payload.count == 68 else { return nil }
    return Reception(
      jamming: Jamming(rawValue: payload[22] >> 2 & 3), jammingIndicator: Int(payload[payload.count - 15]),
      antenna: Antenna(rawValue: payload[20]))
  }

  /// MON-RF: one block for each band. What is worst in any of them counts.
  private static func radio(_ payload: [UInt8]) -> Reception? {
    guard payload.count >= 4, payload[0] == 0, payload.count == 4 + 24 * Int(payload[1]) else { return nil }
    var worst = Reception()
    for start in stride(from: 4, to: payload.count, by: 24) {
      let jamming = Jamming(rawValue: payload[start + 1] & 3)
      let antenna = Antenna(rawValue: payload[start + 2])
      if (jamming?.rawValue ?? 0) > (worst.jamming?.rawValue ?? 0) { worst.jamming = jamming }
      if (antenna?.rawValue ?? 0) > (worst.antenna?.rawValue ?? 0) { worst.antenna = antenna }
      worst.jammingIndicator = max(worst.jammingIndicator ?? 0, Int(payload[start + 16]))
    }
    return worst
  }

  /// SEC-SIG: each state counts only if the receiver looks for it.
  private static func signalSecurity(_ payload: [UInt8]) -> Reception? {
    guard let version = payload.first else { return nil }
    switch version {
    case 1:
      guard payload.count == 12 else { return nil }
      return Self.states(jamming: payload[4], spoofing: payload[8])
    case 2:
      guard payload.count >= 4, payload.count == 4 + 4 * Int(payload[3]) else { return nil }
      return Self.states(jamming: payload[1] & 7, spoofing: payload[1] >> 3)
    case _: return nil
    }
  }

  /// Flags with whether the receiver looks for it in bit 0, and the state in the bits above.
  private static func states(jamming: UInt8, spoofing: UInt8) -> Reception {
    Reception(
      spoofing: spoofing & 1 == 1 ? Spoofing(rawValue: spoofing >> 1 & 7) : nil,
      jamming: jamming & 1 == 1 ? Jamming(rawValue: jamming >> 1 & 3) : nil)
  }
}
