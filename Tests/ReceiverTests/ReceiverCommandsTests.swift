import Positioning
import Testing

@testable import Receiver

@Suite("The bytes that stop and start receivers") struct ReceiverCommandsTests {
  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }

  @Test func `a u-blox gets a controlled stop and start, with the sums of its manual`() {
    #expect(self.hex(ReceiverCommands.ublox.stop) == "B56206040400000008001674")
    #expect(ReceiverCommands.ublox.start.map(self.hex) == ["B56206040400000009001776"])
  }

  @Test func `a MediaTek gets standby, and any byte before the end of its periodic modes`() {
    #expect(String(decoding: ReceiverCommands.mediaTek.stop, as: UTF8.self) == "$PMTK161,0*28\r\n")
    #expect(
      ReceiverCommands.mediaTek.start.map { String(decoding: $0, as: UTF8.self) } == ["\r\n", "$PMTK225,0*2B\r\n"])
  }

  @Test func `only these rungs have commands`() {
    #expect(ReceiverCommands(of: .ublox) == .ublox)
    #expect(ReceiverCommands(of: .mtk) == .mediaTek)
    #expect(ReceiverCommands(of: .watch) == nil)
    #expect(ReceiverCommands(of: .unit) == nil)
  }
}
