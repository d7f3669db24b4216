import Positioning
import ReceiverPorts
import Testing

@testable import Gpsd

@Suite("Asking gpsd for a u-blox's own messages")
struct PacketsTests {
  private static let said = Reception(spoofing: .indicated)
  private static let message = GpsdMessage.reception(ReceptionReport(reception: said, arrival: .at(3)))
  private static let request = "?WATCH={\"enable\":true,\"json\":true,\"raw\":1};\n"

  private static func ublox(_ path: String = "/dev/ttyACM0", isActivated: Bool = true) -> ReceiverDevice {
    ReceiverDevice(path: path, driver: "u-blox", isActivated: isActivated)
  }

  /// The receivers of the reports of reception since the last read.
  private static func sources(_ run: inout SessionRun) -> [String?] {
    run.takeActions().compactMap { action in
      guard case .emit(.reception(let report)) = action else { return nil }
      #expect(report.reception == Self.said && report.arrival == .at(3))
      return report.device
    }
  }

  @Test("A u-blox that reports is asked for once, on each connection, and what it says has its path")
  func asked() {
    var run = SessionRun()
    run.start()
    run.connected()
    run.receive(.banner, .devices([Self.ublox()]), .watch(device: nil))
    #expect(run.takeSent() == ["?WATCH={\"enable\":true,\"json\":true};\n"])
    run.receive(.report())
    #expect(run.takeSent() == [Self.request])
    run.receive(.devices([Self.ublox()]), .watch(device: nil), .report())
    #expect(run.takeSent() == [])
    run.receive(Self.message)
    #expect(Self.sources(&run) == ["/dev/ttyACM0"])
    // gpsd is asked again by a session that waits for reports, and keeps what it was asked.
    run.pass(20)
    #expect(run.takeSent().first == "?DEVICES;\n" + Self.request)
    run.end(.closed)
    run.pass(1)
    run.connected()
    run.receive(.banner, .devices([Self.ublox()]), .watch(device: nil))
    _ = run.takeSent()
    run.receive(.report())
    #expect(run.takeSent() == [Self.request])
  }

  @Test("A receiver that says nothing in a minute is not listened to any more, until the next connection")
  func useless() {
    var run = SessionRun.streaming()
    run.receive(.device(Self.ublox()))
    #expect(run.takeSent() == [Self.request])
    run.passReporting(50)
    // Time in which the process did not run does not count.
    run.skip(100)
    run.passReporting(10)
    #expect(run.takeSent() == [])
    run.passReporting(1)
    #expect(run.takeSent() == [Self.request.replacing("1}", with: "0}")])
    run.passReporting(1000)
    #expect(run.takeSent() == [])
    run.pass(20)
    #expect(run.takeSent().first == "?DEVICES;\n" + Self.request.replacing("1}", with: "0}"))
    var useful = SessionRun.streaming()
    useful.receive(.device(Self.ublox()), Self.message)
    useful.passReporting(1000)
    #expect(useful.takeSent() == [Self.request])
  }

  @Test("Nothing is asked of another receiver, of one that is not open, nor before gpsd has said the driver")
  func others() {
    for device in [
      ReceiverDevice(path: "/dev/ttyACM0", driver: "NMEA0183", isActivated: true), Self.ublox(isActivated: false),
      ReceiverDevice(path: "/dev/ttyACM0", isActivated: true),
    ] {
      var run = SessionRun.streaming()
      run.receive(.devices([device]), .report(), Self.message)
      #expect(!run.takeSent().contains { $0.contains("raw") })
      #expect(Self.sources(&run).isEmpty)
    }
    var run = SessionRun.streaming()
    run.receive(.device(Self.ublox()))
    #expect(run.takeSent() == [Self.request])
  }

  @Test("Of two u-blox nobody knows which one says it, unless gpsd filters by the configured one")
  func several() {
    let both = GpsdMessage.devices([Self.ublox(), Self.ublox("/dev/ttyACM1")])
    var run = SessionRun.streaming()
    run.receive(both, .report(), Self.message)
    #expect(run.takeSent() == [] && Self.sources(&run).isEmpty)
    run.receive(both, .deviceGone("/dev/ttyACM1"), .report())
    #expect(run.takeSent() == [Self.request])
    run.receive(Self.message)
    #expect(Self.sources(&run) == ["/dev/ttyACM0"])
    // It stays asked, and is not believed.
    run.receive(both, Self.message)
    #expect(Self.sources(&run).isEmpty)
    var filtered = SessionRun.streaming(device: "/dev/ttyACM0")
    filtered.receive(both, .report(), Self.message)
    #expect(
      filtered.takeSent() == ["?WATCH={\"enable\":true,\"json\":true,\"raw\":1,\"device\":\"/dev/ttyACM0\"};\n"])
    filtered.receive(Self.message)
    #expect(Self.sources(&filtered) == ["/dev/ttyACM0"])
    // gpsd's answer shows that it watches every device.
    filtered.receive(.watch(device: nil), Self.message)
    #expect(Self.sources(&filtered).isEmpty)
    filtered.receive(.devices([Self.ublox("/dev/ttyACM1")]), Self.message)
    #expect(Self.sources(&filtered).isEmpty)
  }

  @Test("What is said before gpsd has confirmed the watch, or after the end, is nothing")
  func early() {
    var run = SessionRun()
    run.start()
    run.connected()
    run.receive(.banner, .devices([Self.ublox()]), Self.message)
    #expect(Self.sources(&run).isEmpty)
    run.stop()
    run.receive(Self.message)
    #expect(Self.sources(&run).isEmpty)
  }
}
