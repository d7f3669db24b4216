import PositionProtocol
public import Positioning

extension PositionClient {
  /// The satellites that the receiver saw last; `nil` if it has reported nothing.
  ///
  /// Without a connection it waits for one for up to ten seconds.
  public func sky() async throws(PositionError) -> Sky? {
    try await self.read(SkyGetRequest()).sky
  }

  /// The satellites that the receiver sees. The receiver stays on for it unless it is passive. Only the newest update is kept for a slow
  /// reader.
  ///
  /// - Parameters:
  ///   - minInterval: The least time between two updates.
  ///   - isPassive: Whether it only gets what comes for others, and never turns the receiver on.
  public nonisolated func skyUpdates(
    minInterval: Duration = .seconds(1), isPassive: Bool = false
  ) -> Updates<SkyUpdate> {
    self.sequence(of: SkySubscribeRequest(minInterval: minInterval, isPassive: isPassive), keeping: 1)
  }
}
