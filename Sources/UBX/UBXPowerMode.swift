/// How a u-blox of the eighth generation works while it is on (CFG-PMS, protocol versions 18 to 23).
package struct UBXPowerMode: Hashable, Sendable {
  package static let full = UBXPowerMode(setup: 0)
  package static let balanced = UBXPowerMode(setup: 1)
  /// Aggressive at 1 Hz: cyclic tracking.
  package static let oneHertz = UBXPowerMode(setup: 3)

  /// CFG-PMS.
  private static let identifier: UInt8 = 0x86
  /// CFG-PMS without payload: the receiver sends its own.
  package static let poll = UBXFrame(UBXFrame.MessageClass.configuration, Self.identifier)

  /// u-blox's number; others than these are of a host that knows more.
  package let setup: UInt8

  package init(setup: UInt8) { self.setup = setup }

  /// `nil` if it is another message.
  package init?(_ frame: UBXFrame) {
    guard frame.messageClass == UBXFrame.MessageClass.configuration, frame.identifier == Self.identifier,
      frame.payload.count == 8, frame.payload[0] == 0
    else { return nil }
    self.setup = frame.payload[1]
  }

  /// The message. Its period and time are of the mode that switches the receiver off in between, which is not used.
  package var frame: UBXFrame {
    UBXFrame(
      UBXFrame.MessageClass.configuration, Self.identifier, payload: [0, self.setup] + [UInt8](repeating: 0, count: 6))
  }

  /// Whether it is the message, or the receiver's refusal of it (ACK-NAK).
  package static func isAnswer(_ messageClass: UInt8, _ identifier: UInt8) -> Bool {
    (messageClass, identifier) == (UBXFrame.MessageClass.configuration, Self.identifier)
      || (messageClass, identifier) == (UBXFrame.MessageClass.acknowledgement, 0)
  }

  /// Whether it is the receiver's refusal.
  package static func isRefusal(_ frame: UBXFrame) -> Bool { frame == Self.refusal }

  /// As a receiver sends it that does not know the message.
  package static let refusal = UBXFrame(
    UBXFrame.MessageClass.acknowledgement, 0, payload: [UBXFrame.MessageClass.configuration, Self.identifier])
}
