import PositionProtocol
public import Positioning

extension PositionClient {
  /// The status of the daemon and its receiver.
  ///
  /// Without a connection it waits for one for up to ten seconds.
  public func status() async throws(PositionError) -> DaemonStatus {
    try await self.read(StatusGetRequest())
  }

  /// The status whenever it changes. Only the newest update is kept for a slow reader.
  public nonisolated func statusUpdates() -> Updates<StatusUpdate> {
    self.sequence(of: StatusSubscribeRequest(), keeping: 1)
  }
}
