import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker

@Suite("The receiver that the status names")
struct NamedReceiverTests {
  private let other = ReceiverDevice(path: "/dev/ttyUSB1", driver: "AIVDM", isActivated: true)

  @Test("A configured receiver that gpsd does not have is absent, whatever else gpsd has")
  func configured() {
    var settings = BrokerSettings.open
    settings.fixes.device = "/dev/gps9"
    var daemon = VirtualDaemon(settings: settings, devices: [ublox, self.other])
    #expect(daemon.status.receiver.device == nil && daemon.status.receiver.driver == nil)
    daemon.subscribe(SubscriptionParameters())
    daemon.send(.receiver(.source(.receiverMissing(.notConfiguredDevice("/dev/gps9", present: [ublox.path])))))
    #expect(daemon.status.gpsd.detail == "gpsd does not have the configured receiver /dev/gps9, but /dev/ttyACM0")
  }

  @Test("Before any report the first open device is named, and then the one that reports")
  func beforeReports() {
    var daemon = VirtualDaemon(devices: [ReceiverDevice(path: "/dev/ttyS0", isActivated: false), self.other, ublox])
    daemon.subscribe(SubscriptionParameters())
    #expect(daemon.status.receiver.device == "/dev/ttyUSB1")
    daemon.noFixReport()
    #expect(daemon.status.receiver.device == ublox.path)
  }

  @Test("Beside a receiver that was unplugged no other device is named until it reports, and there is no fix")
  func unplugged() {
    var daemon = VirtualDaemon(devices: [self.other, ublox])
    daemon.subscribe(SubscriptionParameters())
    daemon.stream(seconds: 5)
    #expect(daemon.status.receiver.device == ublox.path)
    daemon.send(.receiver(.devices([self.other])))
    daemon.send(.receiver(.source(.receiverMissing(.unplugged(ublox.path)))))
    #expect(daemon.status.receiver.device == nil)
    #expect(daemon.status.receiver.availability == .receiverMissing)
    daemon.send(.receiver(.devices([self.other, ReceiverDevice(path: "/dev/ttyACM1", isActivated: true)])))
    daemon.send(.receiver(.position(noFix(daemon.now.sinceBoot.seconds, device: "/dev/ttyACM1"))))
    #expect(daemon.status.receiver.device == "/dev/ttyACM1")
  }
}
