import Positioning
import Testing

@testable import Broker

@Suite struct FullDiskTests {
  @Test("While the disk is full, what is stored is listed and attached to, and nothing is changed")
  func listing() {
    var daemon = VirtualDaemon()
    daemon.call(.subscribe(SubscriptionParameters(mode: .significant), durable: .tracker))
    daemon.send(.storeChanged(error: "the disk is full"))
    let full = Answer.failed(.notStored("the disk is full"))
    for call in [Call.listDurables(), .listRegions(durable: "tracker", after: nil), .attachDurable(name: "tracker")] {
      let answer = daemon.answer(call)
      #expect(answer != nil && answer != full, "\(call)")
    }
    #expect(daemon.answer(.removeDurable(name: "tracker")) == full)
  }

  @Test("A call whose change was not stored fails")
  func refused() {
    var daemon = VirtualDaemon()
    daemon.holdsStore = true
    let added = daemon.call(.addRegion(.home, durable: .tracker)).id
    let full = Answer.failed(.notStored("the disk is full"))
    #expect(daemon.commitStore(error: "the disk is full").answers(to: added) == [full])
  }
}
