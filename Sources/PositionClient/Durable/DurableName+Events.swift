import PositionProtocol

extension DurableName {
  /// The events of the name in order: first those that wait, then each as it occurs.
  ///
  /// An event is delivered again, in a later loop or a later program, until it is acknowledged. A program that
  /// stores the `id` of the last event that it has handled, and passes it as `last`, gets each event exactly once. One
  /// loop never gets an event twice, even when the connection is lost in between.
  ///
  /// Only one program at a time receives a name's events. When another one begins, this sequence ends with the
  /// reason `.replaced`; when the name is removed, it ends with `.removed`. An event with the reason `.overflow` says
  /// how many events were dropped because nobody took them for a long time. The sequence throws `.failed` with the code
  /// `notFound` if nothing is registered under the name.
  ///
  /// - Parameter last: Acknowledges the events up to this one first; they are not delivered.
  public func events(since last: Int? = nil) -> Updates<DurableEvent> {
    self.client.sequence(of: DurableAttachRequest(name: self.name, sinceEvent: last), keeping: 4096)
  }

  /// Acknowledges an event and all before it: they are not delivered again. Does nothing for an event without a number.
  ///
  /// It returns once the acknowledgement is on the disk. Without a connection it waits for one, as the loop over the
  /// events does.
  public func acknowledge(_ event: DurableEvent) async throws(PositionError) {
    if let id = event.id { try await self.acknowledge(through: id) }
  }

  /// Acknowledges the events up to this number. Without a connection it waits for one.
  public func acknowledge(through id: Int) async throws(PositionError) {
    _ = try await self.client.read(DurableAcknowledgeRequest(name: self.name, event: id), within: nil)
  }
}
