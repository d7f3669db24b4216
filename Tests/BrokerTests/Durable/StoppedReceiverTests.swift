import Positioning
import TestSupport
import Testing

@testable import Broker

/// Which receiver is turned off: the rung waits until that is on the disk.
@Suite struct StoppedReceiverTests {
  private static let stopped = StoppedReceiver(rung: .unit, unit: "gps-on.service", offUnit: "gps-off.service")

  private static func reports(_ actions: [Action]) -> [String?] {
    actions.compactMap { if case .reportStoppedReceiver(let error) = $0 { .some(error) } else { nil } }
  }

  @Test("The rung learns that it is stored, and not before")
  func stored() {
    var daemon = VirtualDaemon()
    daemon.holdsStore = true
    #expect(Self.reports(daemon.send(.stoppedReceiverChanged(Self.stopped))) == [])
    #expect(Self.reports(daemon.commitStore()) == [nil])
    #expect(daemon.store.stoppedReceiver == Self.stopped)
    #expect(Self.reports(daemon.send(.stoppedReceiverChanged(nil))) == [])
    #expect(Self.reports(daemon.commitStore(error: "the disk is full")) == ["the disk is full"])
  }

  @Test("While there is no room, the rung waits, and the last change is stored when there is room")
  func behind() {
    var settings = BrokerSettings.open
    settings.maxUnstored = 2
    var daemon = VirtualDaemon(settings: settings)
    daemon.disk.stall()
    daemon.call(.subscribeVisits(durable: DurableRequest(name: "tracker")))
    #expect(!daemon.machine.commits.hasRoom)
    #expect(Self.reports(daemon.send(.stoppedReceiverChanged(Self.stopped))) == [])
    #expect(Self.reports(daemon.send(.stoppedReceiverChanged(nil))) == [])
    #expect(Self.reports(daemon.recover()) == [nil, nil])
    #expect(daemon.store.stoppedReceiver == nil && daemon.machine.commits.isEmpty)
  }

  @Test("If the store cannot be opened, the rung learns why")
  func unopened() {
    var daemon = VirtualDaemon()
    daemon.restart(unopened: "the database is damaged")
    #expect(Self.reports(daemon.send(.stoppedReceiverChanged(Self.stopped))) == ["the database is damaged"])
  }
}
