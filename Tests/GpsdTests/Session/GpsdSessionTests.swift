import Positioning
import ReceiverPorts
import Testing

@testable import Gpsd

@Suite("The session with gpsd")
struct GpsdSessionTests {
  private let watchAll = "?WATCH={\"enable\":true,\"json\":true};\n"

  @Test("From the start to the first report, nothing is sent before the banner, and each state is reported once")
  func goodDay() {
    var run = SessionRun()
    run.start()
    #expect(run.takeActions() == [.emit(.source(.opening)), .connect(address: "127.0.0.1"), .arm(.at(1005))])
    run.start()
    #expect(run.takeActions().isEmpty)
    run.connected()
    #expect(run.takeActions() == [.arm(.at(1003))])
    run.receive(.banner)
    #expect(run.takeActions() == [.emit(.gpsdVersion("3.22")), .send(self.watchAll), .arm(.at(1030))])
    run.receive(.list("/dev/ttyACM0"))
    #expect(
      run.takeActions() == [
        .emit(.devices([ReceiverDevice(path: "/dev/ttyACM0", driver: "NMEA0183", isActivated: true)]))
      ])
    run.receive(.watch(device: nil))
    #expect(run.takeActions() == [.arm(.at(1010))])
    run.receive(.report())
    let report = PositionReport(device: "/dev/ttyACM0", mode: .threeDimensional, arrival: .at(0))
    #expect(
      run.takeActions() == [
        .emit(.source(.streaming)), .emit(.position(report)), .arm(.at(1008)),
      ])
    run.receive(.report())
    #expect(run.takeActions() == [.emit(.position(report))])
  }

  @Test("A day of reports arms no timer for each of them")
  func lazyTimer() {
    var run = SessionRun.streaming()
    run.passReporting(3600)
    let actions = run.takeActions()
    #expect(actions.count { if case .emit(.position) = $0 { true } else { false } } == 3600)
    #expect(actions.count { if case .arm = $0 { true } else { false } } <= 1800)
    #expect(run.takeSources() == [])
  }

  @Test("A stop ends the watch and the connection at once, and leaves no timer")
  func stop() {
    var run = SessionRun.streaming()
    run.stop()
    #expect(run.takeActions() == [.send("?WATCH={\"enable\":false};\n"), .close, .emit(.source(.idle)), .disarm])
    run.receive(.report())
    run.end(.closed)
    run.pass(1000)
    run.stop()
    #expect(run.takeActions().isEmpty)
    #expect(run.armed == nil && !run.isOpen)
  }

  @Test("A stop before the banner sends nothing, in every state", arguments: 0..<3)
  func earlyStop(stage: Int) {
    var run = SessionRun()
    run.start()
    if stage == 1 { run.connected() }
    if stage == 2 { run.fail("refused") }
    _ = run.takeActions()
    run.stop()
    #expect(run.takeSent().isEmpty)
    #expect(run.armed == nil && !run.isOpen)
    run.start()
    #expect(run.takeSources() == [.opening])
    #expect(run.isOpen)
  }

  @Test(
    "A cold receiver that reports no fix is streaming, not silent",
    arguments: [PositionReport.Mode.unknown, .noFix])
  func coldReceiver(mode: PositionReport.Mode) {
    var run = SessionRun.streaming()
    for _ in 0..<900 {
      run.pass(1)
      run.receive(.report(mode: mode))
    }
    #expect(run.takeSources() == [])
  }

  @Test("The device's path is escaped, and of any length")
  func watchRequest() {
    let path = "/dev/serial/by-id/usb-\"odd\\name\"\n\u{1}é" + String(repeating: "x", count: 200)
    var run = SessionRun(device: path)
    run.start()
    run.connected()
    _ = run.takeActions()
    run.receive(.banner)
    let escaped = #"/dev/serial/by-id/usb-\"odd\\name\"\u000a\u0001é"# + String(repeating: "x", count: 200)
    #expect(run.takeSent() == ["?WATCH={\"enable\":true,\"json\":true,\"device\":\"\(escaped)\"};\n"])
    run.receive(.watch(device: path), .report(path))
    #expect(run.takeSources() == [.streaming])
  }

  @Test("With a configured device, nothing of another is passed on")
  func otherDevices() {
    var run = SessionRun.streaming(device: "/dev/ttyACM0")
    run.receive(.report("/dev/ttyUSB1"))
    run.receive(.sky(SkyReport(device: "/dev/ttyUSB1", arrival: .at(0))))
    run.receive(.attitude(AttitudeReport(device: "/dev/ttyUSB1", arrival: .at(0))))
    run.receive(.errorEstimate(ErrorEstimateReport(device: "/dev/ttyUSB1", arrival: .at(0))))
    #expect(run.takeActions().isEmpty)
    run.receive(.sky(SkyReport(device: "/dev/ttyACM0", arrival: .at(0))))
    run.receive(.attitude(AttitudeReport(device: nil, arrival: .at(0))))
    #expect(run.takeActions().count == 2)
    // Another device's reports do not hide our device's silence.
    for _ in 0..<9 {
      run.pass(1)
      run.receive(.report("/dev/ttyUSB1"))
    }
    #expect(run.takeSources() == [.receiverMissing(.silent("/dev/ttyACM0"))])
  }

  @Test("A watch that gpsd widened is reported, and its reports are filtered")
  func widenedWatch() {
    var run = SessionRun(device: "/dev/ttyACM0")
    run.start()
    run.connected()
    run.receive(.banner, .list("/dev/ttyACM0", "/dev/ttyUSB1"))
    _ = run.takeActions()
    run.receive(.watch(device: nil))
    let actions = run.takeActions()
    #expect(actions.contains { if case .log(.gpsdComplaint, _) = $0 { true } else { false } })
    run.receive(.report("/dev/ttyUSB1"), .report(nil))
    #expect(run.takeActions().isEmpty)
    run.receive(.report("/dev/ttyACM0"))
    #expect(run.takeSources() == [.streaming])
  }

  @Test("Reports before gpsd has confirmed its filter are left out")
  func earlyReports() {
    var run = SessionRun()
    run.start()
    run.connected()
    run.receive(.banner)
    _ = run.takeActions()
    run.receive(.report())
    #expect(run.takeActions().isEmpty)
  }

  @Test("A libgps of another layout is reported with the reason, and tried again in half a minute")
  func skew() {
    var run = SessionRun.streaming()
    run.receive(.skewed)
    guard case .gpsdDown(.notGpsd(let words)) = run.takeSources().last else {
      Issue.record("not reported")
      return
    }
    #expect(words.contains("libgps"))
    #expect(!run.isOpen)
    run.pass(22)
    #expect(!run.isOpen)
    run.pass(8.1)
    #expect(run.isOpen)
  }

  @Test("gpsd's release and devices are reported on change only")
  func changesOnly() {
    var run = SessionRun.streaming()
    run.receive(.list("/dev/ttyACM0"))
    #expect(run.takeActions().isEmpty)
    run.receive(.device(ReceiverDevice(path: "/dev/ttyACM0", driver: "MTK-3301", isActivated: true)))
    #expect(
      run.takeActions() == [
        .emit(.devices([ReceiverDevice(path: "/dev/ttyACM0", driver: "MTK-3301", isActivated: true)]))
      ])
    // A notification without gpsd's state of the device and without its driver.
    run.receive(.device(ReceiverDevice(path: "/dev/ttyACM0", subtype: "M8", isActivated: false)))
    #expect(
      run.takeActions() == [
        .emit(.devices([ReceiverDevice(path: "/dev/ttyACM0", driver: "MTK-3301", subtype: "M8", isActivated: true)]))
      ])
    run.end(.closed)
    run.pass(1)
    run.connected()
    _ = run.takeActions()
    run.receive(.banner)
    #expect(run.takeActions().allSatisfy { if case .emit(.gpsdVersion) = $0 { false } else { true } })
  }

  @Test("gpsd's errors are logged")
  func complaint() {
    var run = SessionRun.streaming()
    run.receive(.error("Unrecognized request"))
    #expect(run.takeActions() == [.log(.gpsdComplaint, "gpsd reports an error: Unrecognized request")])
  }
}
