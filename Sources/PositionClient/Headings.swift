import PositionProtocol
public import Positioning

extension PositionClient {
  /// One heading: at once if a recent one is known, else within the timeout; `nil` if none arrives in time.
  ///
  /// A device that rests and has no compass has no heading; one that moves has its course. If the connection is
  /// lost, the request is repeated for the remaining time.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait; zero: as long as the daemon allows.
  ///   - maximumAge: How old the heading may be.
  /// - Throws: `PositionError`; `.failed` with the code `unavailable` if the receiver cannot report any heading.
  public func heading(
    timeout: Duration = .seconds(30), maximumAge: Duration = .seconds(5)
  ) async throws(PositionError) -> Heading? {
    try await self.read(within: timeout == .zero ? nil : timeout) { left in
      HeadingGetRequest(HeadingRequest(maximumAge: maximumAge, timeout: left ?? timeout))
    }.heading
  }

  /// Headings as they change, from the start of the iteration until the loop is left.
  ///
  /// The sequence throws `.failed` with the code `unavailable` if the receiver cannot report any heading.
  ///
  /// - Parameters:
  ///   - minChange: The angle in degrees from the last delivered heading.
  ///   - minInterval: The least time between two updates.
  ///   - maxInterval: After this time without an update the newest heading is delivered again.
  public nonisolated func headingUpdates(
    minChange: Double = 1, minInterval: Duration = .zero, maxInterval: Duration? = nil
  ) -> Updates<HeadingUpdate> {
    self.sequence(
      of: HeadingSubscribeRequest(
        HeadingParameters(minChange: minChange, minInterval: minInterval, maxInterval: maxInterval)))
  }
}

extension HeadingUpdate: SubscriptionUpdate {
  static let disconnected = Self(reason: .disconnected)
  static let suspended = Self(reason: .suspended)
  static func reconnected(_ answer: HeadingSubscribeRequest.Result) -> Self { Self(reason: .reconnected) }

  init?(_ notification: any AddressedNotification) {
    guard let update = notification as? HeadingUpdateNotification else { return nil }
    self = update.update
  }

  var reveals: Precision? { self.heading.map { _ in .precise } }

  mutating func passOver(_ older: Self) { self.dropped = self.dropped.plus(older.dropped).plus(1) }

  typealias Request = HeadingSubscribeRequest
}
