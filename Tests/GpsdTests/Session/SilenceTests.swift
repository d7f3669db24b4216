import Positioning
import ReceiverPorts
import Testing

@testable import Gpsd

@Suite("The receiver's silence")
struct SilenceTests {
  private let poke = "?DEVICES;\n?WATCH={\"enable\":true,\"json\":true};\n"

  @Test(
    "Silence is reported after 8 s, or three of the device's cycles, reported or measured",
    arguments: [
      (nil, 1, 8), (.milliseconds(100), 0.1, 8), (.seconds(5), nil, 15), (nil, 5, 15), (.seconds(1), 10, 30),
      (.seconds(5), 1, 8),
    ] as [(Duration?, Double?, Double)])
  func silence(cycle: Duration?, rhythm: Double?, limit: Double) {
    var run = SessionRun.streaming(cycle: cycle)
    for _ in 0..<(rhythm == nil ? 0 : 10) {
      run.pass(rhythm ?? 0)
      run.receive(.report())
    }
    _ = run.takeActions()
    run.pass(limit - 0.1)
    #expect(run.takeSources() == [])
    run.pass(0.2)
    #expect(run.takeSources() == [.receiverMissing(.silent("/dev/ttyACM0"))])
  }

  @Test("Time in which this process did not run is no silence of the receiver, nor of gpsd")
  func gap() {
    var run = SessionRun.streaming()
    run.pass(5)
    _ = run.takeSources()
    run.skip(320)
    run.pass(2.9)
    #expect(run.takeSources() == [])
    run.pass(0.2)
    #expect(run.takeSources() == [.receiverMissing(.silent("/dev/ttyACM0"))])
    run.skip(320)
    run.pass(1)
    #expect(run.takeSources() == [])
  }

  @Test("Its limit is configurable, also during a session", arguments: [5.0, 20])
  func isSet(limit: Double) {
    var run = SessionRun.streaming()
    run.changeSilence(to: .seconds(limit))
    run.passReporting(20)
    #expect(run.takeSources() == [])
    run.pass(limit - 0.1)
    #expect(run.takeSources() == [])
    run.pass(0.2)
    #expect(run.takeSources() == [.receiverMissing(.silent("/dev/ttyACM0"))])
  }

  @Test("A receiver that reports every 10 s is missed at most once, and a new connection keeps its cycle")
  func slow() {
    var run = SessionRun.streaming()
    for _ in 0..<20 {
      run.pass(10)
      run.receive(.report())
    }
    #expect(run.takeSources() == [.receiverMissing(.silent("/dev/ttyACM0")), .streaming])
    run.end(.closed)
    run.pass(1)
    run.connected()
    run.receive(.banner, .list("/dev/ttyACM0"), .watch(device: nil), .report())
    _ = run.takeSources()
    run.pass(10)
    #expect(run.takeSources() == [])
  }

  @Test("gpsd's 6 s of silence while it detects another device are no silence of ours")
  func probes() {
    var run = SessionRun.streaming()
    run.passReporting(10)
    run.pass(6.5)
    run.receive(.report())
    run.passReporting(10)
    #expect(run.takeSources() == [])
  }

  @Test("gpsd gets a request 10 s after the last report, and every 10 s while it answers; a report ends that")
  func pokes() {
    var run = SessionRun.streaming()
    run.pass(9.9)
    #expect(run.takeSent() == [])
    run.pass(0.2)
    #expect(run.takeSent() == [self.poke])
    for _ in 0..<2 {
      run.receive(.list("/dev/ttyACM0"), .watch(device: nil))
      run.pass(10)
      #expect(run.takeSent() == [self.poke])
    }
    #expect(run.takeSources() == [])
    run.receive(.list("/dev/ttyACM0"), .watch(device: nil))
    #expect(run.takeSources() == [])
    run.receive(.report())
    #expect(run.takeSources() == [.streaming])
  }

  @Test("After 60 s a new connection is tried, if gpsd has the device; the state is unchanged")
  func reconnects() {
    var run = SessionRun.streaming()
    run.passAnswering(67.9)
    #expect(run.takeActions().allSatisfy { $0 != .close })
    run.passAnswering(2.2)
    #expect(run.takeActions().contains(.close))
    #expect(run.isOpen)
    run.connected()
    run.receive(.banner, .list("/dev/ttyACM0"), .watch(device: nil))
    run.pass(10)
    #expect(run.takeSources() == [])
    run.receive(.report())
    #expect(run.takeSources() == [.streaming])
  }

  @Test("Without a device there is no new connection: gpsd gets requests for ever")
  func noDevice() {
    var run = SessionRun()
    run.start()
    run.connected()
    run.receive(.banner, .list(), .watch(device: nil))
    #expect(run.takeSources() == [.opening, .receiverMissing(.noDevice)])
    run.passAnswering(600, with: .list())
    let actions = run.takeActions()
    #expect(!actions.contains(.close))
    #expect(actions.count { $0 == .send(self.poke) } == 60)
    // Plugged in.
    run.receive(.device(ReceiverDevice(path: "/dev/ttyACM0", isActivated: true)), .report())
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

  @Test("An unplugged device is reported at once, and again when it is back")
  func unplugged() {
    var run = SessionRun.streaming()
    run.receive(.deviceGone("/dev/ttyACM0"))
    #expect(run.takeSources() == [.receiverMissing(.unplugged("/dev/ttyACM0"))])
    run.receive(.list(), .watch(device: nil))
    run.passAnswering(120, with: .list())
    #expect(run.takeSources() == [])
    run.receive(.device(ReceiverDevice(path: "/dev/ttyACM0", isActivated: true)))
    #expect(run.takeSources() == [])
    run.receive(.report())
    #expect(run.takeSources() == [.streaming])
  }

  @Test("A device that gpsd removes from its list without a message was unplugged")
  func dropped() {
    var run = SessionRun.streaming()
    run.pass(8)
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
    run.receive(.deviceGone("/dev/ttyACM0"))
    for _ in 0..<10 {
      run.pass(1)
      run.receive(.report("/dev/ttyUSB1"))
    }
    #expect(run.takeSources() == [])
    run.receive(.deviceGone("/dev/ttyUSB1"))
    #expect(run.takeSources() == [.receiverMissing(.unplugged("/dev/ttyUSB1"))])
  }

  @Test("With a configured device, another's loss is ignored")
  func configured() {
    var run = SessionRun.streaming(device: "/dev/ttyACM0")
    run.receive(.list("/dev/ttyACM0", "/dev/ttyUSB1"))
    run.receive(.deviceGone("/dev/ttyUSB1"))
    #expect(run.takeSources() == [])
    run.receive(.deviceGone("/dev/ttyACM0"))
    #expect(run.takeSources() == [.receiverMissing(.unplugged("/dev/ttyACM0"))])
  }

  @Test("A configured device that gpsd does not have is reported by its path, and awaited")
  func notConfigured() {
    var run = SessionRun(device: "/dev/gps9")
    run.start()
    run.connected()
    run.receive(.banner)
    _ = run.takeActions()
    // gpsd 3.22 and 3.25 answer an unknown device with this alone.
    run.receive(.error("No such device as /dev/gps9"))
    #expect(run.takeSources() == [.receiverMissing(.notConfiguredDevice("/dev/gps9", present: []))])
    run.receive(.list("/dev/ttyACM0"), .error("No such device as /dev/gps9"))
    run.passAnswering(200, with: .error("No such device as /dev/gps9"))
    #expect(run.takeSources() == [.receiverMissing(.notConfiguredDevice("/dev/gps9", present: ["/dev/ttyACM0"]))])
    #expect(run.isOpen)
    run.receive(.device(ReceiverDevice(path: "/dev/gps9", isActivated: true)), .report("/dev/gps9"))
    #expect(run.takeSources() == [.streaming])
  }

  @Test("A gpsd that lists the device and does not answer the watch gets another request")
  func noAnswer() {
    var run = SessionRun()
    run.start()
    run.connected()
    run.receive(.banner, .list("/dev/ttyACM0", active: false))
    run.pass(31)
    #expect(run.takeSources() == [.opening, .receiverMissing(.silent("/dev/ttyACM0"))])
    #expect(run.isOpen)
  }

  @Test("If the connection ends during silence, gpsd's state is reported")
  func endsDuringSilence() {
    var run = SessionRun.streaming()
    run.pass(9)
    _ = run.takeActions()
    run.end(.closed)
    #expect(run.takeSources() == [.gpsdDown(.closed("gpsd closed the connection"))])
    run.pass(0.6)
    #expect(run.isOpen)
  }

  @Test("A gpsd that hangs is reported within 20 s of the last report, waited for, and reconnected")
  func hangs() {
    var run = SessionRun.streaming()
    run.pass(17.9)
    #expect(run.takeSources() == [.receiverMissing(.silent("/dev/ttyACM0"))])
    run.pass(0.2)
    #expect(run.takeSources() == [.gpsdDown(.mute)])
    run.pass(21.8)
    #expect(run.isOpen)
    #expect(run.takeSent() == [])
    run.pass(0.2)
    #expect(!run.isOpen)
    run.pass(1)
    #expect(run.isOpen)
    #expect(run.takeSources() == [])
  }

  @Test("A slow answer of gpsd ends its failure; a report ends the receiver's silence")
  func speaksAgain() {
    var run = SessionRun.streaming()
    run.pass(20)
    #expect(run.takeSources() == [.receiverMissing(.silent("/dev/ttyACM0")), .gpsdDown(.mute)])
    run.receive(.list("/dev/ttyACM0"))
    #expect(run.takeSources() == [.receiverMissing(.silent("/dev/ttyACM0"))])
    run.receive(.watch(device: nil), .report())
    #expect(run.takeSources() == [.streaming])
    run.passReporting(100)
    #expect(run.takeSources() == [])
  }
}
