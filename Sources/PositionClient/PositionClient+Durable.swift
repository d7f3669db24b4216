import PositionProtocol
public import Positioning

extension PositionClient {
  /// A name under which to register what outlives this program. This does not contact the daemon.
  ///
  /// - Parameters:
  ///   - name: The name, which belongs to the user: 1 to 64 bytes without control characters.
  ///   - wake: A systemd service that an event starts when no program is attached, such as `tracker.service`; the
  ///     administrator's configuration must list it for the user. `nil`: none, or the one that was registered before.
  public nonisolated func durable(name: String, wake: String? = nil) -> DurableName {
    DurableName(name: name, wake: wake, client: self)
  }

  /// The user's durable names, with what is registered under each.
  ///
  /// Without a connection it waits for one for up to ten seconds.
  public func durableNames() async throws(PositionError) -> [DurableInfo] {
    try await self.read(DurableListRequest()).names
  }
}
