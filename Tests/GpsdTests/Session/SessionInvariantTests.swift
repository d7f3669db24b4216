import Positioning
import ReceiverPorts
import ReceiverSimulator
import Testing

@testable import Gpsd

@Suite("Random events in any order")
struct SessionInvariantTests {
  private static let messages: [GpsdMessage] = [
    .banner, .list(), .list("/dev/ttyACM0"), .list("/dev/ttyUSB1", active: false), .watch(device: nil),
    .watch(device: "/dev/ttyACM0"), .report(), .report("/dev/ttyUSB1"), .report(nil), .invalid, .ignored, .skewed,
    .error("No such device as x"), .error("y"), .deviceGone("/dev/ttyACM0"),
    .device(ReceiverDevice(path: "/dev/ttyACM0", isActivated: true)),
    .device(ReceiverDevice(path: "/dev/ttyACM0", driver: "u-blox", isActivated: true)),
    .reception(ReceptionReport(reception: Reception(spoofing: .clear), arrival: .at(0))),
    .sky(SkyReport(arrival: .at(0))),
  ]

  @Test(
    "Only a stopped session has no deadline, no state is reported twice, and a working gpsd always ends the failure",
    arguments: 0..<40 as Range<UInt64>)
  func random(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var run = SessionRun(device: seed % 2 == 0 ? nil : "/dev/ttyACM0", host: "localhost", jitterSeed: seed)
    var reported = SourceState.idle
    var isWanted = false
    for _ in 0..<2_000 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        isWanted = true
        run.start()
      case 1:
        isWanted = Bool.random(using: &random) && isWanted
        if !isWanted { run.stop() }
      case 2 where run.isOpen:
        run.end([.closedUnspoken, .closed, .failed("x")].randomElement(using: &random) ?? .closed)
      case 3 where run.isOpen: run.fail("refused")
      case 4, 5: run.connected()
      case 6...9: run.pass(Double.random(in: 0...40, using: &random))
      default: run.receive(Self.messages.randomElement(using: &random) ?? .invalid)
      }
      #expect((run.armed == nil) == !isWanted)
      #expect(isWanted || !run.isOpen)
      for source in run.takeSources() {
        #expect(source != reported)
        reported = source
      }
      #expect((reported == .idle) == !isWanted)
    }
    run.stop()
    run.start()
    run.connected()
    run.receive(.banner, .list("/dev/ttyACM0"), .watch(device: seed % 2 == 0 ? nil : "/dev/ttyACM0"), .report())
    #expect(run.takeSources().last == .streaming)
  }
}
