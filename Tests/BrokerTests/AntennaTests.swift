import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker

/// A receiver that says how its antenna is.
@Suite struct AntennaTests {
  private static func daemon(saying antenna: Reception.Antenna, fixes: Bool) -> VirtualDaemon {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    if fixes { daemon.stream(seconds: 5) }
    let said = ReceptionReport(
      device: daemon.status.receiver.device, reception: Reception(antenna: antenna), arrival: daemon.now)
    _ = daemon.send(.receiver(.reception(said)))
    return daemon
  }

  @Test("A shorted line is named with and without a fix, and a line without an antenna only without one")
  func problems() {
    #expect(Self.daemon(saying: .short, fixes: true).status.receiver.problem == .antennaShort)
    #expect(Self.daemon(saying: .short, fixes: false).status.receiver.problem == .antennaShort)
    #expect(Self.daemon(saying: .open, fixes: false).status.receiver.problem == .antennaOpen)
    // A passive antenna draws no current, so its line looks open.
    #expect(Self.daemon(saying: .open, fixes: true).status.receiver.problem == nil)
    #expect(Self.daemon(saying: .connected, fixes: false).status.receiver.problem == nil)
  }

  @Test("The receiver's later word, gpsd's as well, counts, and none of an earlier session")
  func later() {
    var daemon = Self.daemon(saying: .short, fixes: true)
    var report = PositionReport(device: daemon.status.receiver.device, mode: .noFix, arrival: daemon.now)
    report.antenna = .connected
    _ = daemon.send(.receiver(.position(report)))
    #expect(daemon.status.receiver.problem == nil)
    report.antenna = .short
    _ = daemon.send(.receiver(.position(report)))
    #expect(daemon.status.receiver.problem == .antennaShort)
    _ = daemon.send(.receiver(.source(.receiverMissing(.noDevice))))
    #expect(daemon.status.receiver.problem == nil)
  }
}
