public import PositionProtocol

extension PositionClient {
  /// How the daemon and its receiver do.
  ///
  /// Where there is no connection it waits for one, but no longer than ten seconds.
  public func status() async throws(PositionError) -> StatusObject {
    try await self.read(StatusGetRequest())
  }

  /// The status, whenever it changes; only the newest is kept for who is late.
  public nonisolated func statusUpdates() -> Updates<StatusUpdate> {
    self.sequence(of: StatusSubscribeRequest(), keeping: 1)
  }
}
