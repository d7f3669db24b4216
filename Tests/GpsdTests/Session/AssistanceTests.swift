import Positioning
import ReceiverPorts
import Testing
import UBX

@testable import Gpsd

@Suite("What assists a start, through gpsd") struct AssistanceTests {
  private static let entry = UBXFrame(0x13, 0x80, payload: [UInt8](repeating: 7, count: 60))
  private static let request = GpsdSession.Action.send("?DEVICE={\"path\":\"/dev/ttyACM0\",\"hexdata\":\"B562\"};\n")

  private static func streaming() -> SessionRun {
    var run = SessionRun.streaming()
    run.receive(.device(ReceiverDevice(path: "/dev/ttyACM0", driver: "u-blox", isActivated: true)))
    _ = run.takeActions()
    return run
  }

  private static func line(_ bytes: [UInt8]) -> [UInt8] {
    Array(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined().utf8)
  }

  @Test func `it is written at once, and what rungs wait for is not disturbed`() {
    var run = Self.streaming()
    run.assist([0xB5, 0x62])
    #expect(run.takeActions() == [Self.request], "no rung is given a result")
  }

  @Test func `before gpsd watches for us nothing is written, then or later`() {
    var run = SessionRun()
    run.assist([0xB5, 0x62])
    run.start()
    run.assist([0xB5, 0x62])
    run.connected()
    run.receive(.banner, .list("/dev/ttyACM0"))
    run.assist([0xB5, 0x62])
    run.receive(.watch(device: nil), .report())
    #expect(!run.takeActions().contains(Self.request))
  }

  @Test func `an error of gpsd after it is its refusal, and no rung's`() {
    var run = Self.streaming()
    run.assist([0xB5, 0x62])
    run.receive(.error("read-only"))
    #expect(run.takeActions() == [Self.request, .assistRefused("read-only")])
    run.receive(.error("read-only"))
    #expect(!run.takeActions().contains(.assistRefused("read-only")))
  }

  @Test func `what the receiver knows and what it answers comes through`() {
    var run = Self.streaming()
    let answer = UBXAssistanceAnswer(isAccepted: false, reason: 1, identifier: 0x80).frame(begin: [])
    for frame in [Self.entry, answer] {
      guard case .assistance(frame) = GpsdDecoder().decode(Self.line(frame.bytes), arrival: .at(7)) else {
        Issue.record("\(frame)")
        continue
      }
      run.receive(.assistance(frame))
      #expect(run.takeActions() == [.received(frame)])
    }
  }

  @Test func `of two u-bloxes nobody knows which said it`() {
    var run = Self.streaming()
    run.receive(.device(ReceiverDevice(path: "/dev/ttyACM1", driver: "u-blox", isActivated: true)))
    _ = run.takeActions()
    run.receive(.assistance(Self.entry))
    #expect(run.takeActions().isEmpty)
  }

  @Test func `a line that is changed, or of another message, is none`() {
    var bytes = Self.entry.bytes
    bytes[20] ^= 1
    #expect(GpsdDecoder().decode(Self.line(bytes), arrival: .at(7)) == .invalid)
    let command = UBXFrame(0x13, 0x21, payload: [UInt8](repeating: 7, count: 60))
    #expect(GpsdDecoder().decode(Self.line(command.bytes), arrival: .at(7)) == .invalid)
    let long = UBXFrame(0x13, 0x80, payload: [UInt8](repeating: 7, count: 1025))
    #expect(GpsdDecoder().decode(Self.line(long.bytes), arrival: .at(7)) == .invalid)
  }

  @Test func `messages that were given up are asked for again`() {
    var run = SessionRun.streaming()
    run.receive(.device(ReceiverDevice(path: "/dev/ttyACM0", driver: "u-blox", isActivated: true)))
    run.passReporting(70)
    #expect(run.takeSent().last?.contains("\"raw\":0") == true)
    run.askForPackets()
    #expect(run.takeSent().last?.contains("\"raw\":1") == true)
  }
}
