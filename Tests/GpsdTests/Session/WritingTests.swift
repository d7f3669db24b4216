import ReceiverPorts
import Testing

@testable import Gpsd

/// Bytes for the receiver, which gpsd writes.
@Suite("Writing to the receiver") struct WritingTests {
  private let bytes: [UInt8] = [0xB5, 0x62, 0x06, 0x0A]
  private let request = GpsdSession.Action.send("?DEVICE={\"path\":\"/dev/ttyACM0\",\"hexdata\":\"B562060A\"};\n")

  private func wrote(_ actions: [GpsdSession.Action]) -> [GpsdWriteResult] {
    actions.compactMap { if case .wrote(let result) = $0 { result } else { nil } }
  }

  @Test func `a session that streams writes at once`() {
    var run = SessionRun.streaming()
    run.write(self.bytes)
    #expect(run.takeActions() == [self.request, .wrote(.written)])
  }

  @Test func `before gpsd watches for us nothing is written, and then everything in order`() {
    var run = SessionRun()
    run.write([1])
    run.start()
    run.write(self.bytes)
    run.connected()
    run.receive(.banner, .list("/dev/ttyACM0"))
    run.write([2])
    #expect(self.wrote(run.takeActions()).isEmpty)
    run.receive(.watch(device: nil))
    let sent = run.takeActions().filter { if case .send = $0 { true } else { false } }
    #expect(sent.count == 2 && sent.first == self.request, "what came before the session is not written: \(sent)")
  }

  @Test func `the configured device is written to, whichever reports`() {
    var run = SessionRun(device: "/dev/gps\"0")
    run.start()
    run.connected()
    run.receive(.banner, .list("/dev/ttyACM0", "/dev/gps\"0"), .watch(device: "/dev/gps\"0"))
    _ = run.takeActions()
    run.write([0x0D])
    #expect(run.takeActions().first == .send("?DEVICE={\"path\":\"/dev/gps\\\"0\",\"hexdata\":\"0D\"};\n"))
  }

  @Test func `a device that is missing is written to when it is there`() {
    var run = SessionRun()
    run.start()
    run.connected()
    run.receive(.banner, .list(), .watch(device: nil))
    run.write(self.bytes)
    #expect(self.wrote(run.takeActions()).isEmpty)
    run.receive(.device(ReceiverDevice(path: "/dev/ttyACM0", isActivated: true)))
    #expect(run.takeActions().contains(self.request))
  }

  @Test func `an error of gpsd after a write is its refusal, and another is none`() {
    var run = SessionRun.streaming()
    run.write(self.bytes)
    _ = run.takeActions()
    run.receive(.error("Attempted to write to a read-only device"))
    #expect(self.wrote(run.takeActions()) == [.refused("Attempted to write to a read-only device")])
    run.write(self.bytes)
    run.receive(.device(ReceiverDevice(path: "/dev/ttyACM0", isActivated: true)), .error("Unrecognized request"))
    #expect(self.wrote(run.takeActions()) == [.written])
  }

  @Test func `a session that is stopped forgets what was not written`() {
    var run = SessionRun()
    run.start()
    run.write(self.bytes)
    run.stop()
    run.start()
    run.connected()
    run.receive(.banner, .list("/dev/ttyACM0"), .watch(device: nil))
    #expect(self.wrote(run.takeActions()).isEmpty)
  }

  @Test(arguments: [true, false])
  func `a silence that is expected is reported late`(isExpected: Bool) {
    var run = SessionRun.streaming()
    run.expectSilence(isExpected)
    run.passAnswering(20)
    let isReported = run.takeActions().contains {
      if case .emit(.source(.receiverMissing)) = $0 { true } else { false }
    }
    #expect(isReported == !isExpected)
  }
}
