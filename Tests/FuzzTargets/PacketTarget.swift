import Gpsd
import Positioning
import ReceiverPorts
import UBX

/// A receiver's own messages, as gpsd passes them on: lines are read the same however they are cut, and of a message that is written
/// the same is read as of the message itself.
enum PacketTarget {
  static func run(_ input: [UInt8]) {
    Pieces.compare(input, by: self.story)
    guard let stream = Pieces(input) else { return }
    let bytes = Array(stream.whole)
    if let frame = UBXFrame(parsing: bytes) {
      require(frame.bytes == bytes, "a frame changes when it is read and written", "\(frame)")
    }
    guard bytes.count >= 2, bytes.count <= 65_537 else { return }
    self.check(UBXFrame(bytes[0], bytes[1], payload: Array(bytes[2...])))
  }

  /// A frame that is written is read as the same, from bytes and from digits, and from no other bytes.
  private static func check(_ frame: UBXFrame) {
    var bytes = frame.bytes
    require(UBXFrame(parsing: bytes) == frame, "a frame that was written is not read", "\(frame)")
    let said = self.reception(of: bytes)
    // The longest that is wanted.
    if frame.payload.count <= 1024 {
      require(said == Reception(statedIn: frame), "its line says something else", "\(frame)")
    }
    if let said {
      require(said != Reception(), "a message that says nothing is passed on", "\(frame)")
      require((0...255).contains(said.jammingIndicator ?? 0), "an indicator is out of range", "\(said)")
    }
    bytes[bytes.count - 1] ^= 1
    require(UBXFrame(parsing: bytes) == nil && self.reception(of: bytes) == nil, "a wrong sum is read", "\(frame)")
  }

  private static func reception(of bytes: [UInt8]) -> Reception? {
    let digits = Array("0123456789abcdef".utf8)
    let line = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    guard case .reception(let report) = GpsdDecoder().decode(line, arrival: .boot) else { return nil }
    return report.reception
  }

  private static func story(_ pieces: [ArraySlice<UInt8>]) -> [String] {
    var splitter = LineSplitter()
    let decoder = GpsdDecoder()
    return pieces.flatMap { splitter.lines(completedBy: Array($0)) }.map { line in
      // What begins with a brace is read by another target.
      line.first == UInt8(ascii: "{") ? "" : "\(decoder.decode(line, arrival: .boot))"
    }
  }
}
