import Positioning

/// Applies the faults of the line to an epoch's messages: noise, wrong checksums, pieces, and merged epochs.
package struct OutputShaper: Sendable {
  /// What a serial port reads at a wrong speed. None of these bytes begins a sentence.
  private static let noise: [UInt8] = [0x80, 0xE6, 0x98, 0x06, 0xF8, 0x1E]
  private static let longestPiece = 48

  private var random: SeededRandom
  /// The first of two epochs that are sent together.
  private var held: [UInt8]?

  package init(seed: UInt64) {
    self.random = SeededRandom(seed: seed)
  }

  /// The pieces to write, in order; none while an epoch is held back to be merged with the next.
  package mutating func pieces(of messages: [[UInt8]], activeFaults: ActiveFaults) -> [[UInt8]] {
    var bytes: [UInt8] = []
    for _ in 0..<activeFaults.garbageBytes {
      bytes.append(Self.noise[Int.random(in: Self.noise.indices, using: &self.random)])
    }
    for message in messages {
      let isCorrupted = Double.random(in: 0..<1, using: &self.random) < activeFaults.corruptionRate
      bytes += isCorrupted ? Self.corrupted(message) : message
    }
    if let held = self.held {
      bytes = held + bytes
      self.held = nil
    } else if activeFaults.isMerged {
      self.held = bytes
      return []
    }
    return activeFaults.isSplit ? self.split(bytes) : [bytes]
  }

  /// The message with a wrong checksum. NMEA's is before the line end, in capitals; UBX's is at the end.
  package static func corrupted(_ message: [UInt8]) -> [UInt8] {
    guard message.count > 8 else { return message }
    var message = message
    if message[0] == UInt8(ascii: "$") {
      let digit = message.count - 3
      message[digit] = message[digit] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
    } else {
      message[message.count - 1] ^= 0x55
    }
    return message
  }

  private mutating func split(_ bytes: [UInt8]) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let length = Int.random(in: 1...Self.longestPiece, using: &self.random)
      pieces.append(Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return pieces
  }
}
