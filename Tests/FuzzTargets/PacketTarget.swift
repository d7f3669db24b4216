import Gpsd
import Positioning
import Receiver
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
    self.checkSequence(bytes)
    self.checkKept(bytes)
    guard bytes.count >= 2, bytes.count <= 65_537 else { return }
    self.check(UBXFrame(bytes[0], bytes[1], payload: Array(bytes[2...])))
  }

  /// The same without gpsd's lines, which cost most of the time: for a hundred million inputs.
  static func runFrames(_ bytes: [UInt8]) {
    self.checkSequence(bytes)
    guard bytes.count >= 2, bytes.count <= 65_537 else { return }
    let frame = UBXFrame(bytes[0], bytes[1], payload: Array(bytes[2...]))
    require(UBXFrame(parsing: frame.bytes) == frame, "a frame that was written is not read", "\(frame)")
    self.checkAssistance(frame)
    self.checkPowerMode(frame)
    if let said = Reception(statedIn: frame) { self.check(said, of: frame) }
  }

  private static func checkPowerMode(_ frame: UBXFrame) {
    guard let mode = UBXPowerMode(frame) else { return }
    require(UBXPowerMode(mode.frame) == mode, "a power mode changes when it is written", "\(mode)")
    require(!UBXPowerMode.isRefusal(frame), "a power mode is a refusal", "\(frame)")
  }

  private static func check(_ said: Reception, of frame: UBXFrame) {
    require(said != Reception(), "a message that says nothing is passed on", "\(frame)")
    require((0...255).contains(said.jammingIndicator ?? 0), "an indicator is out of range", "\(said)")
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
    if UBXFrame.isOfAssistance(frame.messageClass, frame.identifier), frame.payload.count <= 1024 {
      require(self.message(of: bytes) == .assistance(frame), "its line has another message", "\(frame)")
    }
    self.checkAssistance(frame)
    if UBXPowerMode.isAnswer(frame.messageClass, frame.identifier), frame.payload.count <= 1024 {
      require(self.message(of: bytes) == .assistance(frame), "its line has another message", "\(frame)")
    }
    self.checkPowerMode(frame)
    if let said { self.check(said, of: frame) }
    bytes[bytes.count - 1] ^= 1
    require(UBXFrame(parsing: bytes) == nil && self.reception(of: bytes) == nil, "a wrong sum is read", "\(frame)")
  }

  /// The messages of a file are those that are written one after the other, up to the first byte of none.
  private static func checkSequence(_ bytes: [UInt8]) {
    let (frames, length) = UBXFrame.sequence(bytes)
    require(frames.flatMap(\.bytes) == Array(bytes.prefix(length)), "a file's messages are not its bytes", "\(frames)")
    let (again, rest) = UBXFrame.sequence(Array(bytes[length...]))
    require(again.isEmpty && rest == 0, "a file's messages end before their end", "\(again)")
    frames.forEach(self.checkAssistance)
  }

  /// What a receiver is sent can be written by gpsd, and is read as what was meant.
  private static func checkAssistance(_ frame: UBXFrame) {
    if frame.isAssistance {
      require(frame.bytes.count <= 255 && !frame.payload.isEmpty, "assistance that is too long, or a poll", "\(frame)")
    }
    require(!frame.isKnowledge || frame.isAssistance, "what a receiver said cannot be given back", "\(frame)")
    if let time = UBXTimeAssistance(frame) {
      require(UBXTimeAssistance(time.frame) == time, "a time changes when it is written", "\(time)")
    }
    if let position = UBXPositionAssistance(frame) {
      require(UBXPositionAssistance(position.frame) == position, "a position changes when it is written", "\(position)")
    }
  }

  /// A file of kept assistance is read as the same again.
  private static func checkKept(_ bytes: [UInt8]) {
    guard let kept = try? KeptAssistance(parsing: bytes) else { return }
    require((try? KeptAssistance(parsing: kept.bytes)) == kept, "a kept file changes when it is written", "\(kept)")
  }

  private static func reception(of bytes: [UInt8]) -> Reception? {
    guard case .reception(let report) = self.message(of: bytes) else { return nil }
    return report.reception
  }

  private static func message(of bytes: [UInt8]) -> GpsdMessage {
    let digits = Array("0123456789abcdef".utf8)
    let line = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return GpsdDecoder().decode(line, arrival: .boot)
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
