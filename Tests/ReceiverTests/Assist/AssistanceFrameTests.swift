import Positioning
import Testing
import UBX

@testable import Receiver

@Suite("Messages of assistance") struct AssistanceFrameTests {
  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }

  private let time = UBXTimeAssistance(
    time: Timestamp(milliseconds: 1_769_860_800_250), error: .milliseconds(1500))
  private let position = UBXPositionAssistance(
    coordinate: Coordinate(latitude: -33.5, longitude: 151.25), altitude: 20.5, error: 1250)

  @Test func `the time is MGA-INI-TIME_UTC, byte by byte`() {
    #expect(
      self.hex(self.time.frame.bytes) == "B562134018001000" + "0080" + "EA07011F0C000000" + "80B2E60E" + "01000000"
        + "0065CD1D" + self.hex(Array(self.time.frame.bytes.suffix(2))))
    #expect(UBXTimeAssistance(self.time.frame) == self.time)
    #expect(self.time.frame.isAssistance && !self.time.frame.isKnowledge)
  }

  @Test func `the position is MGA-INI-POS_LLH, byte by byte`() {
    // -33.5 and 151.25 in ten millionths of a degree, then centimetres.
    #expect(
      self.hex(self.position.frame.payload) == "01000000" + "404E08EC" + "20EB265A" + "02080000" + "48E80100")
    #expect(UBXPositionAssistance(self.position.frame)?.error == 1250)
  }

  @Test func `both are one AID-INI for a receiver of an older generation`() {
    let frame = UBXFrame.aidingInitial(time: self.time, position: self.position)
    #expect(frame.payload.count == 48 && frame.isAssistance)
    #expect(frame.payload[44..<48] == [0x23, 0x04, 0, 0])
    // January 2026 as 2601, and the 31st at 12:00:00 as 31120000.
    #expect(frame.payload[18..<20] == [0x29, 0x0A] && frame.payload[20..<24] == [0x80, 0xDA, 0xDA, 0x01])
    #expect(UBXFrame.aidingInitial(time: nil, position: nil).payload == [UInt8](repeating: 0, count: 48))
  }

  @Test func `values without bounds are bounded`() {
    let far = UBXPositionAssistance(
      coordinate: Coordinate(latitude: .nan, longitude: .infinity), altitude: -.infinity,
      error: .greatestFiniteMagnitude)
    #expect(far.frame.payload.count == 20)
    let long = UBXTimeAssistance(time: Timestamp(milliseconds: .max / 4), error: .seconds(1_000_000))
    #expect(long.frame.payload[16...17] == [0xFF, 0xFF])
  }

  @Test(
    "only assistance may be sent",
    arguments: [
      (UBXFrame(0x13, 0x80), false), (UBXFrame(0x13, 0x80, payload: .init(repeating: 1, count: 12)), false),
      (UBXFrame(0x13, 0x80, payload: .init(repeating: 1, count: 13)), true),
      (UBXFrame(0x13, 0x80, payload: .init(repeating: 1, count: 248)), false),
      (UBXFrame(0x13, 0x21, payload: .init(repeating: 1, count: 20)), false),
      (UBXFrame(0x13, 0x60, payload: .init(repeating: 1, count: 8)), false),
      (UBXFrame(0x06, 0x04, payload: .init(repeating: 1, count: 4)), false),
      (UBXFrame(0x13, 0x00, payload: .init(repeating: 1, count: 68)), true),
      (UBXFrame(0x0B, 0x31, payload: .init(repeating: 1, count: 104)), true),
      (UBXFrame(0x0B, 0x31, payload: .init(repeating: 1, count: 8)), false),
      (UBXFrame(0x0B, 0x50, payload: .init(repeating: 1, count: 104)), false),
    ])
  func permitted(frame: UBXFrame, isPermitted: Bool) {
    #expect(frame.isAssistance == isPermitted)
    #expect((AssistMessage.ublox(frame).bytes != nil) == isPermitted)
  }

  @Test func `a sequence ends at the first byte that is no message`() {
    let good = self.time.frame.bytes + self.position.frame.bytes
    #expect(UBXFrame.sequence(good).length == good.count)
    #expect(UBXFrame.sequence(good + [0xB5]).frames.count == 2)
    var bad = good
    bad[good.count - 1] ^= 1
    #expect(UBXFrame.sequence(bad).frames == [self.time.frame])
    #expect(UBXFrame.sequence([]).length == 0)
  }

  @Test func `an answer says whether a message was accepted`() {
    let answer = UBXAssistanceAnswer(isAccepted: false, reason: 4, identifier: 0x80)
    #expect(UBXAssistanceAnswer(answer.frame(begin: [1, 2])) == answer)
    #expect(UBXAssistanceAnswer(UBXFrame(0x13, 0x60, payload: [1, 0, 0, 0x80])) == nil)
  }

  @Test func `writes are as long as gpsd takes them, and lose nothing`() {
    let frames = (0..<10).map { _ in UBXFrame(0x13, 0x20, payload: [UInt8](repeating: 0, count: 76)) }
    let writes = AssistMessage.writes(frames.map { .ublox($0) })
    #expect(writes.map(\.count) == [252, 252, 252, 84])
    #expect(writes.flatMap { $0 } == frames.flatMap(\.bytes))
  }
}
