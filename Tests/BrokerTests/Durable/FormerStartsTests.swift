import Positioning
import Testing

@testable import Broker

@Suite struct FormerStartsTests {
  @Test("A stored start of a unit that limits nothing any more is removed from the store")
  func removed() {
    let (former, recent) = (WakeTarget(uid: 1001, unit: "a.service"), WakeTarget(uid: 1001, unit: "b.service"))
    var stored = StoredState()
    stored.wakeStarts = [former: at(10), recent: at(990)]
    var daemon = VirtualDaemon()
    daemon.restart(unopened: "the disk is busy")
    daemon.send(.storeOpened(stored))
    #expect(daemon.storeChanges.contains(.removeWakeStart(former)))
    #expect(!daemon.storeChanges.contains(.removeWakeStart(recent)))
  }
}
