import NMEA
import Positioning
import UBX

/// What a receiver reads, by gpsd's name of its driver.
enum AssistDialect: Hashable, Sendable {
  case ublox
  case mediaTek

  /// `nil`: receivers of this driver are not assisted.
  init?(driver: String?) {
    switch driver {
    case ReceiverCommands.ublox.driver: self = .ublox
    case ReceiverCommands.mediaTek.driver: self = .mediaTek
    case _: return nil
    }
  }

  /// The farthest that its time may be off: a u-blox gets the error too, a MediaTek takes the time for exact to seconds.
  var worstTime: Duration {
    switch self {
    case .ublox: .seconds(10)
    case .mediaTek: .seconds(3)
    }
  }

  /// The farthest that its position may be off, in metres.
  var worstPlace: Double {
    switch self {
    case .ublox: 500_000
    case .mediaTek: 30_000
    }
  }
}

/// One message for the receiver. gpsd writes nothing else for an assisted start.
enum AssistMessage: Hashable, Sendable {
  case ublox(UBXFrame)
  case mediaTek(MediaTekAssistance)

  /// The bytes; `nil` if it is none that a receiver may be sent.
  var bytes: [UInt8]? {
    switch self {
    case .ublox(let frame): frame.isAssistance ? frame.bytes : nil
    case .mediaTek(let sentence): sentence.sentence.bytes
    }
  }

  /// The messages in as few writes as gpsd allows, in their order.
  static func writes(_ messages: [AssistMessage]) -> [[UInt8]] {
    var writes: [[UInt8]] = []
    for bytes in messages.compactMap(\.bytes) {
      if let last = writes.last, last.count + bytes.count <= UBXFrame.longestWrite {
        writes[writes.count - 1] += bytes
      } else {
        writes.append(bytes)
      }
    }
    return writes
  }
}
