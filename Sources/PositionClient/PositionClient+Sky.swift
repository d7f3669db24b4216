import EventLoop
import PositionProtocol
public import Positioning

extension PositionClient {
  /// The satellites that the receiver saw last; `nil` where it has told nothing.
  ///
  /// Where there is no connection it waits for one, but no longer than ten seconds.
  public func sky() async throws(PositionError) -> Sky? {
    Sky(try await self.read(SkyGetRequest()), now: EventLoop.readClock())
  }

  /// The satellites that the receiver sees, which is kept on for it; of those not taken in time the newest count.
  ///
  /// - Parameter minInterval: The least time between two updates.
  public nonisolated func skyUpdates(minInterval: Duration = .seconds(1)) -> Updates<SkyUpdate> {
    self.sequence(of: SkySubscribeRequest(minInterval: minInterval.wireSeconds), keeping: 1)
  }
}
