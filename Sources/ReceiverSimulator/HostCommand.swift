import NMEA
package import UBX

/// The commands of a host that the simulated receiver understands; gpsd's other probes are ignored.
package enum HostCommand: Hashable, Sendable {
  /// UBX-MON-VER without payload.
  case versionPoll
  /// UBX-CFG-RST: which stored data to delete, and what to do then.
  case reset(forgotten: UInt16, mode: UInt8)
  /// UBX-CFG-PMS with content, and without.
  case powerMode(UBXPowerMode)
  case powerModePoll
  /// Any other UBX-CFG message with content: a u-blox acknowledges it.
  case configuration(identifier: UInt8)
  /// UBX-MGA-DBD, or UBX-AID-EPH and UBX-AID-ALM, without payload: a u-blox sends what it knows.
  case knowledgePoll(messageClass: UInt8, identifier: UInt8)
  /// A message of the classes MGA or AID with content.
  case assistance(UBXFrame)
  /// $PMTK161,0: standby.
  case standby
  /// $PMTK225: the periodic mode's number.
  case periodicMode(Int)
  /// $PMTK605: a query of the firmware's release.
  case releaseQuery
}

/// Finds commands in the bytes that the host writes, whatever their boundaries.
package struct CommandScanner: Sendable {
  /// No command that the model knows is longer; a larger length is noise.
  private static let longestPayload = 512

  private var pending: [UInt8] = []

  package init() {}

  /// Takes the next bytes and returns the commands that they complete, in order.
  package mutating func scan(_ bytes: some Sequence<UInt8>) -> [HostCommand] {
    self.pending += bytes
    var commands: [HostCommand] = []
    var position = 0
    scanning: while position < self.pending.count {
      switch Self.token(self.pending[position...]) {
      case .incomplete:
        break scanning
      case .noise:
        position += 1
      case .message(let length, let command):
        if let command { commands.append(command) }
        position += length
      }
    }
    self.pending.removeFirst(position)
    return commands
  }

  private enum Token {
    case incomplete
    case noise
    case message(length: Int, HostCommand?)
  }

  private static func token(_ bytes: ArraySlice<UInt8>) -> Token {
    switch bytes.first {
    case UBXFrame.sync.0: self.binary(bytes)
    case UInt8(ascii: "$"): self.sentence(bytes)
    case nil: .incomplete
    case .some: .noise
    }
  }

  private static func binary(_ bytes: ArraySlice<UInt8>) -> Token {
    let start = bytes.startIndex
    guard bytes.count < 2 || bytes[start + 1] == UBXFrame.sync.1 else { return .noise }
    guard bytes.count >= 6 else { return .incomplete }
    let length = Int(bytes[start + 4]) | Int(bytes[start + 5]) << 8
    guard length <= Self.longestPayload else { return .noise }
    guard bytes.count >= length + 8 else { return .incomplete }
    guard let frame = UBXFrame(parsing: bytes.prefix(length + 8)) else { return .noise }
    return .message(length: length + 8, Self.command(of: frame))
  }

  private static func command(of frame: UBXFrame) -> HostCommand? {
    switch (frame.messageClass, frame.identifier) {
    case (UBXFrame.MessageClass.monitor, UBXFrame.versionIdentifier) where frame.payload.isEmpty:
      .versionPoll
    case (UBXFrame.MessageClass.configuration, UBXFrame.resetIdentifier) where frame.payload.count == 4:
      .reset(forgotten: UInt16(frame.payload[0]) | UInt16(frame.payload[1]) << 8, mode: frame.payload[2])
    case _ where frame == UBXPowerMode.poll:
      .powerModePoll
    case _ where UBXPowerMode(frame) != nil:
      UBXPowerMode(frame).map { .powerMode($0) }
    case (UBXFrame.MessageClass.configuration, let identifier) where !frame.payload.isEmpty:
      .configuration(identifier: identifier)
    case (UBXFrame.MessageClass.assistance, _), (UBXFrame.MessageClass.aiding, _):
      frame.payload.isEmpty
        ? .knowledgePoll(messageClass: frame.messageClass, identifier: frame.identifier) : .assistance(frame)
    default:
      nil
    }
  }

  private static func sentence(_ bytes: ArraySlice<UInt8>) -> Token {
    // Only so far, or a longer one would be read or not by how it was cut.
    guard let end = bytes.prefix(Self.longestPayload).firstIndex(of: UInt8(ascii: "\n")) else {
      return bytes.count >= Self.longestPayload ? .noise : .incomplete
    }
    guard let fields = NMEASentence.fields(of: bytes[..<end]) else { return .noise }
    let command: HostCommand? =
      switch fields.first {
      case "PMTK161": .standby
      case "PMTK225": fields.count > 1 ? Int(fields[1]).map { .periodicMode($0) } : nil
      case "PMTK605": .releaseQuery
      default: nil
      }
    return .message(length: end - bytes.startIndex + 1, command)
  }
}
