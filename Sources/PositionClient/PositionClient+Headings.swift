import PositionProtocol
public import Positioning

extension PositionClient {
  /// One heading: at once where a young one is known, else within the timeout; `nil` where none came in time.
  ///
  /// A device that rests and has no compass has no heading; one that moves has its course. Where the connection is lost
  /// on the way, it is asked again for the time that is left.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait; zero is no limit but the daemon's own.
  ///   - maximumAge: How old the heading may be.
  /// - Throws: `PositionError`; `.failed` with the code `unavailable` where the receiver can tell no heading at all.
  public func heading(
    timeout: Duration = .seconds(30), maximumAge: Duration = .seconds(5)
  ) async throws(PositionError) -> Heading? {
    try await self.read(within: timeout == .zero ? nil : timeout) { left in
      HeadingGetRequest(maxAge: maximumAge.wireSeconds, timeout: (left ?? timeout).wireSeconds)
    }.heading?.heading
  }

  /// Headings as they change, from when it is iterated until the loop is left.
  ///
  /// It throws `.failed` with the code `unavailable` where the receiver can tell no heading at all.
  ///
  /// - Parameters:
  ///   - minChange: Degrees around the circle from the last delivered heading.
  ///   - minInterval: The least time between two updates.
  ///   - maxInterval: After so long without an update the newest heading is told again.
  public nonisolated func headingUpdates(
    minChange: Double = 1, minInterval: Duration = .zero, maxInterval: Duration? = nil
  ) -> Updates<HeadingUpdate> {
    self.sequence(
      of: HeadingSubscribeRequest(
        minChange: minChange, minInterval: minInterval.wireSeconds, maxInterval: maxInterval?.wireSeconds))
  }
}
