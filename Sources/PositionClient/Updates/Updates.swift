/// What the daemon delivers over time: a subscription that begins when it is iterated, and ends when the loop is left.
///
/// Each iteration is a subscription of its own. Updates come in order; of those that are not taken in time the
/// newest are kept. The sequence ends when the subscription does, when the client is closed, or when the task is
/// cancelled; it throws if the daemon denies it.
///
/// A fault of the receiver or of the connection is an update, not an end. When the connection to the daemon is lost,
/// an update has the reason `.disconnected`. The client connects again by itself, and an update with `.reconnected`
/// says that updates continue.
public struct Updates<Element: Sendable>: AsyncSequence, Sendable {
  /// What iterating may throw.
  public typealias Failure = PositionError

  let subscribe: @Sendable () async throws(PositionError) -> Subscription<Element>

  /// Contacts the daemon only at the first `next`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(state: .notStarted(self.subscribe))
  }

  /// One subscription. It ends when the last copy of this goes.
  public struct Iterator: AsyncIteratorProtocol {
    enum State {
      case notStarted(@Sendable () async throws(PositionError) -> Subscription<Element>)
      case running(Subscription<Element>)
      case ended
    }

    var state: State

    /// The next update; `nil` once the subscription has ended.
    public mutating func next() async throws(PositionError) -> Element? {
      try await self.next(isolation: #isolation)
    }

    /// The next update; `nil` once the subscription has ended.
    public mutating func next(isolation: isolated (any Actor)?) async throws(PositionError) -> Element? {
      let subscription: Subscription<Element>
      switch self.state {
      case .notStarted(let subscribe):
        // Ended unless the subscription is made, so that a call after an error does not try again.
        self.state = .ended
        subscription = try await subscribe()
        self.state = .running(subscription)
      case .running(let running): subscription = running
      case .ended: return nil
      }
      // Ended until the mailbox has returned the next update.
      self.state = .ended
      let element = try await subscription.mailbox.next()
      if element != nil { self.state = .running(subscription) }
      return element
    }
  }
}

/// A subscription that somebody iterates; its last reference ends it on the daemon.
final class Subscription<Element: Sendable>: Sendable {
  let mailbox: Mailbox<Element>
  private let ticket: Int
  /// Retained so that the connection lives while somebody iterates.
  private let client: PositionClient

  init(ticket: Int, mailbox: Mailbox<Element>, client: PositionClient) {
    self.ticket = ticket
    self.mailbox = mailbox
    self.client = client
  }

  deinit {
    self.client.abandon(ticket: self.ticket)
  }
}
