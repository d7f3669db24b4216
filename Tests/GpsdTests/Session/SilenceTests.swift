import Broker
import Positioning
import Testing

@testable import Gpsd

@Suite("The receiver's silence")
struct SilenceTests {
  private let poke = "?DEVICES;\n?WATCH={\"enable\":true,\"json\":true};\n"

  @Test(
    "Silence is told after 3 s, or three of the device's cycles",
    arguments: [(nil, 3), (.milliseconds(100), 3), (.seconds(1), 3), (.seconds(5), 15)] as [(Duration?, Double)])
  func silence(cycle: Duration?, limit: Double) {
    var run = SessionRun.streaming(cycle: cycle)
    run.passReporting(100)
    _ = run.takeActions()
    run.pass(limit - 0.1)
    #expect(run.takeSources() == [])
    run.pass(0.2)
    #expect(run.takeSources() == [.receiverMissing(.silent("/dev/ttyACM0"))])
  }

  @Test("gpsd is asked every 10 s, not at once, and a report ends it")
  func pokes() {
    var run = SessionRun.streaming()
    run.pass(12.9)
    #expect(run.takeSent() == [])
    run.pass(0.2)
    #expect(run.takeSent() == [self.poke])
    run.pass(20)
    #expect(run.takeSent() == [self.poke, self.poke])
    run.receive(.list("/dev/ttyACM0"), .watch(device: nil))
    #expect(run.takeSources() == [])
    run.receive(.report())
    #expect(run.takeSources() == [.streaming])
  }

  @Test("After 60 s of it a new connection is tried, if gpsd has the device; the state stays as it was")
  func reconnects() {
    var run = SessionRun.streaming()
    run.pass(62.9)
    #expect(run.takeActions().allSatisfy { $0 != .close })
    run.pass(0.2)
    #expect(run.takeActions().contains(.close))
    #expect(run.isOpen)
    run.connected()
    run.receive(.banner, .list("/dev/ttyACM0"), .watch(device: nil))
    run.pass(10)
    #expect(run.takeSources() == [])
    run.receive(.report())
    #expect(run.takeSources() == [.streaming])
  }

  @Test("Without a device there is nothing to connect anew for: it is asked for, for ever")
  func noDevice() {
    var run = SessionRun()
    run.start()
    run.connected()
    run.receive(.banner, .list(), .watch(device: nil))
    #expect(run.takeSources() == [.opening, .receiverMissing(.noDevice)])
    run.pass(600)
    let actions = run.takeActions()
    #expect(!actions.contains(.close))
    #expect(actions.count { $0 == .send(self.poke) } == 60)
    // Plugged in.
    run.receive(.device(DeviceNotice(path: "/dev/ttyACM0", isActivated: true)), .report())
    #expect(run.takeSources() == [.streaming])
  }

  @Test("After gpsd's answer the first report has 10 s")
  func firstReport() {
    var run = SessionRun()
    run.start()
    run.connected()
    run.receive(.banner, .list("/dev/ttyACM0"), .watch(device: nil))
    run.pass(9.9)
    #expect(run.takeSources() == [.opening])
    run.pass(0.2)
    #expect(run.takeSources() == [.receiverMissing(.silent("/dev/ttyACM0"))])
  }

  @Test("A device that was pulled out is told at once, and when it is back")
  func unplugged() {
    var run = SessionRun.streaming()
    run.receive(.device(DeviceNotice(path: "/dev/ttyACM0", isActivated: false)))
    #expect(run.takeSources() == [.receiverMissing(.unplugged("/dev/ttyACM0"))])
    run.receive(.list(), .watch(device: nil))
    run.pass(120)
    #expect(run.takeSources() == [])
    run.receive(.device(DeviceNotice(path: "/dev/ttyACM0", isActivated: true)))
    #expect(run.takeSources() == [])
    run.receive(.report())
    #expect(run.takeSources() == [.streaming])
  }

  @Test("A device that gpsd drops from its list without a word was pulled out")
  func dropped() {
    var run = SessionRun.streaming()
    run.pass(3)
    #expect(run.takeSources() == [.receiverMissing(.silent("/dev/ttyACM0"))])
    run.receive(.list())
    #expect(run.takeSources() == [.receiverMissing(.unplugged("/dev/ttyACM0"))])
    run.receive(.list("/dev/ttyACM0"))
    #expect(run.takeSources() == [.receiverMissing(.silent("/dev/ttyACM0"))])
  }

  @Test("With two receivers, the loss of one is no loss")
  func oneOfTwo() {
    var run = SessionRun.streaming()
    run.receive(.list("/dev/ttyACM0", "/dev/ttyUSB1"), .report("/dev/ttyUSB1"))
    run.receive(.device(DeviceNotice(path: "/dev/ttyACM0", isActivated: false)))
    for _ in 0..<10 {
      run.pass(1)
      run.receive(.report("/dev/ttyUSB1"))
    }
    #expect(run.takeSources() == [])
    run.receive(.device(DeviceNotice(path: "/dev/ttyUSB1", isActivated: false)))
    #expect(run.takeSources() == [.receiverMissing(.unplugged("/dev/ttyUSB1"))])
  }

  @Test("With a device configured, another's loss is none of ours")
  func configured() {
    var run = SessionRun.streaming(device: "/dev/ttyACM0")
    run.receive(.list("/dev/ttyACM0", "/dev/ttyUSB1"))
    run.receive(.device(DeviceNotice(path: "/dev/ttyUSB1", isActivated: false)))
    #expect(run.takeSources() == [])
    run.receive(.device(DeviceNotice(path: "/dev/ttyACM0", isActivated: false)))
    #expect(run.takeSources() == [.receiverMissing(.unplugged("/dev/ttyACM0"))])
  }

  @Test("A configured device that gpsd does not have is told by its name, and awaited")
  func notConfigured() {
    var run = SessionRun(device: "/dev/gps9")
    run.start()
    run.connected()
    run.receive(.banner)
    _ = run.takeActions()
    // gpsd 3.22 and 3.25 answer an unknown device with this alone.
    run.receive(.error("No such device as /dev/gps9"))
    #expect(run.takeSources() == [.receiverMissing(.notConfiguredDevice("/dev/gps9"))])
    run.receive(.list("/dev/ttyACM0"), .error("No such device as /dev/gps9"))
    run.pass(200)
    #expect(run.takeSources() == [])
    #expect(run.isOpen)
    run.receive(.device(DeviceNotice(path: "/dev/gps9", isActivated: true)), .report("/dev/gps9"))
    #expect(run.takeSources() == [.streaming])
  }

  @Test("A gpsd that lists the device and does not answer the watch is asked again")
  func noAnswer() {
    var run = SessionRun()
    run.start()
    run.connected()
    run.receive(.banner, .list("/dev/ttyACM0", active: false))
    run.pass(31)
    #expect(run.takeSources() == [.opening, .receiverMissing(.silent("/dev/ttyACM0"))])
    #expect(run.isOpen)
  }

  @Test("The end of the connection during silence is gpsd's trouble then")
  func endsDuringSilence() {
    var run = SessionRun.streaming()
    run.pass(5)
    _ = run.takeActions()
    run.end(.closed)
    #expect(run.takeSources() == [.gpsdDown(.closed("gpsd closed the connection"))])
    run.pass(0.6)
    #expect(run.isOpen)
  }
}
