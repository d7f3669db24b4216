import JSONRPC
import PositionProtocol
import Positioning

/// A loop over the events of regions: each region is one request, and all together are one subscription.
final class RegionSubscriber: LiveSubscriber {
  private let set: RegionSet
  private let watcher: Int
  private let mailbox: Mailbox<RegionUpdate>
  private var followed: FollowedRegions
  /// Whether the present connection has the regions.
  private var isActive = false
  /// How many regions that were requested on a new connection are not yet answered.
  private var unanswered = 0
  /// Whether the loop was established on any connection.
  private var hasStood = false
  private var notified = NotifiedState.connected

  init(_ set: RegionSet, ticket: Int, mailbox: Mailbox<RegionUpdate>, wake: @escaping @Sendable () -> Void) {
    self.set = set
    self.watcher = set.join(wake: wake)
    self.mailbox = mailbox
    self.followed = FollowedRegions(ticket: ticket)
  }

  deinit {
    self.set.leave(self.watcher)
  }

  var recipients: [Recipient] { self.isActive ? self.followed.wireIDs.map { .region($0) } : [] }

  /// Each region has its own end.
  var expiry: Instant? { nil }

  // MARK: The daemon

  func subscribe(
    on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void
  ) -> Bool {
    self.isActive = true
    // Changes that were made meanwhile are part of what is requested on the new connection.
    _ = self.followed.change(to: self.set.regions, now: now)
    let actions = self.followed.established(now: now)
    self.unanswered = actions.count { if case .add = $0 { true } else { false } }
    if self.unanswered == 0 { self.established() }
    self.perform(actions, on: connection) { [weak self] error in
      if error == nil { self?.answered() }
      handler(error)
    }
    return true
  }

  private func answered() {
    self.unanswered -= 1
    if self.unanswered == 0 { self.established() }
  }

  private func established() {
    self.hasStood = true
    if self.notified.becomes(.connected) { self.mailbox.put(RegionUpdate(reason: .reconnected), as: .reconnection) }
  }

  func sendCommands(on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void) {
    guard self.isActive else { return }
    self.perform(self.followed.change(to: self.set.regions, now: now), on: connection, then: handler)
  }

  private func perform(
    _ actions: [FollowedRegions.Action], on connection: DaemonConnection,
    then handler: @escaping (PositionError?) -> Void
  ) {
    for action in actions {
      switch action {
      case .add(let region):
        connection.request(RegionAddRequest(region: region)) { result in
          switch result {
          case .success: handler(nil)
          case .failure(let error): handler(error)
          }
        }
      case .remove(let id): connection.request(RegionRemoveRequest(id: id)) { _ in }
      case .deliver(let event): self.mailbox.put(RegionUpdate(event: event))
      }
    }
  }

  func cancel(on connection: DaemonConnection) {
    guard self.isActive else { return }
    self.isActive = false
    for id in self.followed.wireIDs { connection.request(RegionRemoveRequest(id: id)) { _ in } }
  }

  // MARK: The mailbox

  func disconnected() {
    self.isActive = false
    if self.notified.becomes(.disconnected) {
      self.mailbox.put(RegionUpdate(reason: .disconnected), as: .disconnection)
    }
  }

  func suspended() -> Bool {
    guard self.hasStood else { return false }
    if self.notified.becomes(.suspended) { self.mailbox.put(RegionUpdate(reason: .suspended), as: .reconnection) }
    return true
  }

  func deliver(_ notification: any AddressedNotification) -> Bool {
    guard let event = notification as? RegionEventNotification, let news = self.followed.received(event.event)
    else { return false }
    self.mailbox.put(RegionUpdate(event: news))
    return false
  }

  func heard(_ notification: any AnnouncedNotification) {
    guard let change = notification as? AuthorizationChangedNotification else { return }
    self.mailbox.withhold { change.authorization.withholds($0.event?.reveals) }
  }

  func end(_ reason: EndReason) {
    self.mailbox.finish(PositionError(reason))
  }

  func finish(_ error: PositionError?) {
    self.mailbox.finish(error)
  }
}
