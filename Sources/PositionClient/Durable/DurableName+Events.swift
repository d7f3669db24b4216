import PositionProtocol

extension DurableName {
  /// The events of the name: those that wait, and from then on each as it comes, in order.
  ///
  /// An event comes again, in a later loop or a later program, until it is acknowledged; a program that remembers the
  /// last `id` that it dealt with, and gives it as `last`, gets each exactly once. One loop comes by each once, over lost
  /// connections too.
  ///
  /// One program takes a name's events at a time. Where another one begins, the last event has the reason `.replaced`;
  /// where the name is removed, `.removed`. Events that were lost because nobody took them for long are counted by one
  /// with the reason `.overflow`. It throws `.failed` with the code `notFound` where nothing is registered under the name.
  ///
  /// - Parameter last: Acknowledges the events up to this one first; they do not come.
  public func events(since last: Int? = nil) -> Updates<DurableEvent> {
    self.client.sequence(of: DurableAttachRequest(name: self.name, sinceEvent: last), keeping: 4096)
  }

  /// Says that an event, and with it all before it, was dealt with: they do not come again. Does nothing where the event
  /// has no number.
  ///
  /// It returns once that is on the disk. Where there is no connection it waits for one, as the loop over the events does.
  public func acknowledge(_ event: DurableEvent) async throws(PositionError) {
    if let id = event.id { try await self.acknowledge(through: id) }
  }

  /// Says that the events up to this number were dealt with; where there is no connection it waits for one.
  public func acknowledge(through id: Int) async throws(PositionError) {
    _ = try await self.client.read(DurableAcknowledgeRequest(name: self.name, event: id), within: nil)
  }
}
