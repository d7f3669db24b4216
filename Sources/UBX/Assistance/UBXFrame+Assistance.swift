package import Positioning

/// What a receiver is given so that it finds itself sooner: messages of the classes MGA and AID, by u-blox's interface
/// descriptions of the generations 6 to 10.
extension UBXFrame {
  package enum Assistance {
    /// MGA-ANO: where a satellite will be on one day, as u-blox's service predicts it.
    package static let predictedOrbit: UInt8 = 0x20
    /// MGA-INI: time and position.
    package static let initial: UInt8 = 0x40
    /// MGA-ACK: whether a message was accepted; also the end of the answer to a poll of the database.
    package static let acknowledgement: UInt8 = 0x60
    /// MGA-DBD: an entry of the receiver's database; without a payload: a poll of all entries.
    package static let database: UInt8 = 0x80
    /// Orbits, almanacs and corrections of GPS, Galileo, BeiDou, QZSS and GLONASS.
    package static let systems: Set<UInt8> = [0x00, 0x02, 0x03, 0x05, 0x06]
  }

  package enum Aiding {
    /// AID-INI: time and position.
    package static let initial: UInt8 = 0x01
    package static let almanac: UInt8 = 0x30
    package static let ephemeris: UInt8 = 0x31
  }

  /// Polls all entries of the receiver's database (MGA-DBD).
  package static let databasePoll = UBXFrame(MessageClass.assistance, Assistance.database)
  /// Polls the almanacs and the orbits of a receiver without such a database (AID-ALM, AID-EPH): one answer for each
  /// satellite.
  package static let aidingPolls = [
    UBXFrame(MessageClass.aiding, Aiding.ephemeris), UBXFrame(MessageClass.aiding, Aiding.almanac),
  ]

  /// A message that gpsd takes in one request: it writes at most 255 bytes.
  package static let longestWrite = 255

  /// Whether it is a message of assistance that a receiver may be sent: not a poll, none that writes to its flash, and none that
  /// only a receiver sends.
  package var isAssistance: Bool {
    guard self.payload.count + 8 <= Self.longestWrite else { return false }
    switch (self.messageClass, self.identifier) {
    case (MessageClass.assistance, Assistance.predictedOrbit): return self.payload.count >= 12 && self.payload[0] == 0
    case (MessageClass.assistance, Assistance.initial): return self.payload.count >= 4
    case (MessageClass.assistance, let identifier) where Assistance.systems.contains(identifier):
      return self.payload.count >= 4
    case _:
      return self.isKnowledge
        || (self.messageClass == MessageClass.aiding
          && self.identifier == Aiding.initial && self.payload.count == 48)
    }
  }

  /// Whether a receiver sends such messages when it is asked for what it knows, or was given something.
  package static func isOfAssistance(_ messageClass: UInt8, _ identifier: UInt8) -> Bool {
    switch (messageClass, identifier) {
    case (MessageClass.assistance, Assistance.database), (MessageClass.assistance, Assistance.acknowledgement),
      (MessageClass.aiding, Aiding.almanac), (MessageClass.aiding, Aiding.ephemeris):
      true
    case _: false
    }
  }

  /// Whether it is what a receiver knows, as it sends it, and as it can be given back to it.
  package var isKnowledge: Bool {
    switch (self.messageClass, self.identifier) {
    // Twelve bytes are reserved, and then the entry.
    case (MessageClass.assistance, Assistance.database):
      self.payload.count > 12 && self.payload.count + 8 <= Self.longestWrite
    // A satellite of which it knows nothing has eight bytes.
    case (MessageClass.aiding, Aiding.almanac): self.payload.count == 40
    case (MessageClass.aiding, Aiding.ephemeris): self.payload.count == 104
    case _: false
    }
  }

  /// The noon for which a predicted orbit is right; `nil` for other messages, and for a day that does not exist.
  package var predictedNoon: Timestamp? {
    guard self.messageClass == MessageClass.assistance, self.identifier == Assistance.predictedOrbit, self.isAssistance
    else { return nil }
    return Timestamp(
      CalendarTime(
        year: 2000 + Int(self.payload[4]), month: Int(self.payload[5]), day: Int(self.payload[6]), hour: 12, minute: 0,
        second: 0, millisecond: 0))
  }
}

/// A receiver's answer to a message of assistance (MGA-ACK).
package struct UBXAssistanceAnswer: Hashable, Sendable {
  /// Whether the message was accepted.
  package let isAccepted: Bool
  /// Why it was not, by u-blox's number: 1 the time is unknown, 2 the version, 3 the length, 4 it could not be stored, 5 it is
  /// not ready, 6 the kind.
  package let reason: UInt8
  /// The message's identifier.
  package let identifier: UInt8

  /// `nil` if it is another message.
  package init?(_ frame: UBXFrame) {
    guard frame.messageClass == UBXFrame.MessageClass.assistance,
      frame.identifier == UBXFrame.Assistance.acknowledgement, frame.payload.count == 8, frame.payload[1] == 0
    else { return nil }
    self.isAccepted = frame.payload[0] == 1
    self.reason = frame.payload[2]
    self.identifier = frame.payload[3]
  }

  package init(isAccepted: Bool, reason: UInt8 = 0, identifier: UInt8) {
    (self.isAccepted, self.reason, self.identifier) = (isAccepted, reason, identifier)
  }

  /// - Parameter begin: The first four bytes of the message's payload, or for a poll of the database the number of its entries.
  package func frame(begin: [UInt8]) -> UBXFrame {
    UBXFrame(
      UBXFrame.MessageClass.assistance, UBXFrame.Assistance.acknowledgement,
      payload: [self.isAccepted ? 1 : 0, 0, self.reason, self.identifier] + begin.prefix(4)
        + [UInt8](repeating: 0, count: max(0, 4 - begin.count)))
  }
}
