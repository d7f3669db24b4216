import Broker
import Positioning
import Testing

/// The remaining actions if nothing could be stored.
@Suite struct RefusalTests {
  private static let call = CallID(client: ClientID(1), serial: 1)
  private static let event = DurableEvent(
    id: 1, at: at(1), content: .visit(Visit(id: 1, latitude: 1, longitude: 2, horizontalAccuracy: 3)))

  @Test("The caller gets the reason, no event is sent that could not be fetched again, and the rest continues")
  func refused() {
    let actions: [Action] = [
      .answer(Self.call, .requests([])), .notify(ClientID(1), .durable(name: "tracker", Self.event)),
      .startUnit("unit.service", for: anna), .reportWhenTaken(ClientID(1)), .log(.serving, "words"),
      .setDeadline(at(1)), .setReceiver(on: true), .confirm(7),
    ]
    #expect(
      actions.refused(because: "the disk is full") == [
        .answer(Self.call, .failed(.notStored("the disk is full"))), .reportWhenTaken(ClientID(1)),
        .log(.serving, "words"),
        .setDeadline(at(1)), .setReceiver(on: true), .confirm(7, error: "the disk is full"),
      ])
  }
}
