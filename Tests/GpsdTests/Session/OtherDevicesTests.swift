import Positioning
import ReceiverPorts
import Testing

@testable import Gpsd

@Suite("Devices beside the receiver, and receivers under another name")
struct OtherDevicesTests {
  @Test("gpsd is asked once for the driver of a device that reports and of which it said only the path")
  func unknownDriver() {
    var run = SessionRun.streaming()
    // What gpsd 3.22 says of a receiver that comes back under another name.
    run.receive(.deviceGone("/dev/ttyACM0"), .device(ReceiverDevice(path: "/dev/ttyACM1", isActivated: true)))
    #expect(run.takeSent() == [])
    run.receive(.report("/dev/ttyACM1"))
    #expect(run.takeSent() == ["?DEVICES;\n"])
    for _ in 0..<10 {
      run.pass(1)
      run.receive(.report("/dev/ttyACM1"))
    }
    #expect(run.takeSent() == [])
    run.receive(.list("/dev/ttyACM1"))
    let known = ReceiverDevice(path: "/dev/ttyACM1", driver: "NMEA0183", isActivated: true)
    #expect(run.takeActions() == [.emit(.devices([known]))])
    run.receive(.report("/dev/ttyACM1"))
    #expect(run.takeSent() == [])
  }

  @Test("A driver that gpsd says by itself is not asked for")
  func knownDriver() {
    var run = SessionRun.streaming()
    run.receive(.deviceGone("/dev/ttyACM0"))
    run.receive(.device(ReceiverDevice(path: "/dev/ttyACM0", driver: "MTK-3301", isActivated: true)), .report())
    #expect(run.takeSent() == [])
  }

  @Test("A configured receiver that comes back under another name is missed by its name, beside the one that is there")
  func renamed() {
    var run = SessionRun.streaming(device: "/dev/ttyACM0")
    run.receive(.deviceGone("/dev/ttyACM0"))
    #expect(run.takeSources() == [.receiverMissing(.unplugged("/dev/ttyACM0"))])
    run.passAnswering(25, with: .list("/dev/ttyACM1"))
    run.receive(.report("/dev/ttyACM1"))
    #expect(run.takeSources() == [.receiverMissing(.notConfiguredDevice("/dev/ttyACM0", present: ["/dev/ttyACM1"]))])
  }

  @Test("The loss of the receiver is a loss at once, although gpsd has a device beside it that gives no position")
  func besideAnother() {
    var run = SessionRun.streaming()
    let other = ReceiverDevice(path: "/dev/ttyUSB1", driver: "AIVDM", isActivated: true)
    run.receive(.list("/dev/ttyACM0"), .device(other), .report(), .report("/dev/ttyUSB1", mode: .unknown))
    _ = run.takeActions()
    run.receive(.deviceGone("/dev/ttyACM0"))
    #expect(run.takeSources() == [.receiverMissing(.unplugged("/dev/ttyACM0"))])
    // The device beside it goes on, and is still none.
    run.receive(.device(other))
    #expect(run.takeSources() == [])
    run.receive(.device(ReceiverDevice(path: "/dev/ttyACM0", driver: "NMEA0183", isActivated: true)), .report())
    #expect(run.takeSources() == [.streaming])
  }

  @Test("The loss of a device beside the receiver is none")
  func otherLost() {
    var run = SessionRun.streaming()
    run.receive(.list("/dev/ttyACM0", "/dev/ttyUSB1"), .report())
    run.receive(.deviceGone("/dev/ttyUSB1"))
    #expect(run.takeSources() == [])
    run.pass(8.1)
    #expect(run.takeSources() == [.receiverMissing(.silent("/dev/ttyACM0"))])
  }
}
