import Positioning
import ReceiverPorts
import Testing

@testable import Gpsd

@Suite("What answers at gpsd's address can fill neither the log nor the memory")
struct FloodTests {
  private func messages(_ actions: [GpsdSession.Action]) -> [(kind: LogKind, text: String)] {
    actions.compactMap { if case .log(let kind, let message) = $0 { (kind, message.text) } else { nil } }
  }

  private func complaints(_ actions: [GpsdSession.Action]) -> [String] {
    self.messages(actions).filter { $0.kind == .gpsdComplaint }.map(\.text)
  }

  @Test("A configured receiver that gpsd does not have for a day is a few messages, and not one for each request")
  func missingForADay() {
    var run = SessionRun(device: "/dev/gps9")
    run.start()
    run.connected()
    run.receive(.banner, .error("No such device as /dev/gps9"))
    run.passAnswering(86_400, with: .error("No such device as /dev/gps9"))
    let messages = self.messages(run.takeActions())
    #expect(messages.map(\.kind) == [.receiverMissing])
  }

  @Test("Of a hundred thousand errors in ten seconds ten are logged, and a later message says how many were not")
  func errors() {
    var run = SessionRun.streaming()
    for _ in 0..<100_000 {
      run.pass(0.0001)
      run.receive(.error("Unrecognized request"))
    }
    #expect(self.complaints(run.takeActions()).count == 10)
    run.passReporting(300)
    run.receive(.error("Unrecognized request"))
    let text = "gpsd reports an error: Unrecognized request (and 99990 more of this kind before it)"
    #expect(self.complaints(run.takeActions()) == [text])
  }

  @Test("A day of errors is at most 300 messages")
  func errorsForADay() {
    var run = SessionRun.streaming()
    for _ in 0..<86_400 {
      run.pass(1)
      run.receive(.report(), .error("y"))
    }
    #expect((200...300).contains(self.complaints(run.takeActions()).count))
  }

  @Test("Errors use up no room of other messages")
  func otherKinds() {
    var run = SessionRun.streaming()
    for _ in 0..<1000 { run.receive(.error("y")) }
    _ = run.takeActions()
    run.receive(.deviceGone("/dev/ttyACM0"))
    #expect(self.messages(run.takeActions()).map(\.kind) == [.receiverMissing])
  }

  @Test("A receiver that comes and goes a thousand times in ten minutes is logged a few times")
  func flapping() {
    var run = SessionRun.streaming()
    for _ in 0..<1000 {
      run.pass(0.6)
      run.receive(.deviceGone("/dev/ttyACM0"))
      run.receive(.device(ReceiverDevice(path: "/dev/ttyACM0", driver: "NMEA0183", isActivated: true)), .report())
    }
    #expect(self.messages(run.takeActions()).count <= 30)
  }

  @Test("Of a hundred thousand devices a few are kept, and the configured one is among them", arguments: [true, false])
  func devices(asList: Bool) throws {
    var run = SessionRun.streaming(device: "/dev/gps9")
    var devices = (0..<100_000).map { ReceiverDevice(path: "/dev/x\($0)", driver: "NMEA0183", isActivated: true) }
    devices.append(ReceiverDevice(path: "/dev/gps9", driver: "u-blox", isActivated: true))
    if asList { run.receive(.devices(devices)) } else { for device in devices { run.receive(.device(device)) } }
    let lists = run.takeActions().compactMap { action in
      if case .emit(.devices(let list)) = action { list } else { nil }
    }
    #expect(lists.allSatisfy { $0.count <= 20 })
    #expect(try #require(lists.last).contains { $0.path == "/dev/gps9" })
  }
}
