public import PositionProtocol

extension PositionClient {
  /// A name under which to register what outlives this program. Nothing is asked of the daemon yet.
  ///
  /// - Parameters:
  ///   - name: The name, which belongs to the user: 1 to 64 bytes without control characters.
  ///   - wake: A service of the system that an event starts when no program takes it, such as `tracker.service`; the
  ///     administrator's configuration must list it for the user. `nil`, none, or the one that was registered before.
  public nonisolated func durable(name: String, wake: String? = nil) -> DurableName {
    DurableName(name: name, wake: wake, client: self)
  }

  /// The user's durable names, with what is registered under each.
  ///
  /// Where there is no connection it waits for one, but no longer than ten seconds.
  public func durableNames() async throws(PositionError) -> [DurableObject] {
    try await self.read(DurableListRequest()).names
  }
}
