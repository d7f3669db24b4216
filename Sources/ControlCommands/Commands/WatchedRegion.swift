import EventLoop
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning

/// A region that a command watches, over as many connections as needed: changes while there was none are reported with
/// the next fix.
final class WatchedRegion: LiveSubscriber {
  /// Called when the region is watched for the first time.
  var onResult: ((RegionResult) -> Void)?
  /// Called with each event, with the region's own id.
  var onEvent: ((RegionEventNotification) -> Void)?

  private let region: Region
  private unowned let conversation: Conversation
  private var followed: FollowedRegions
  /// Whether the present connection has the region.
  private var isActive = false
  /// Whether the region was watched on any connection.
  private var wasEstablished = false

  /// - Parameter ticket: The conversation's number for this region.
  init(_ region: Region, ticket: Int, in conversation: Conversation) {
    self.region = region
    self.conversation = conversation
    self.followed = FollowedRegions(ticket: ticket)
  }

  var recipients: [Recipient] { self.isActive ? self.followed.wireIDs.map { .region($0) } : [] }

  /// A region has its own end.
  var expiry: Instant? { nil }

  func subscribe(
    on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void
  ) -> Bool {
    self.isActive = true
    _ = self.followed.change(to: [self.region], now: now)
    for action in self.followed.established(now: now) {
      switch action {
      case .add(let region): self.add(region, on: connection, then: handler)
      case .remove: break  // There is only one region, and it stays.
      case .deliver(let event):
        self.established()
        self.onEvent?(RegionEventNotification(event))
      }
    }
    return true
  }

  private func add(
    _ region: Region, on connection: DaemonConnection, then handler: @escaping (PositionError?) -> Void
  ) {
    connection.request(RegionAddRequest(region: region)) { [weak self] result in
      switch result {
      case .success(let result):
        handler(nil)
        self?.established(result)
      case .failure(let error): handler(error)
      }
    }
  }

  private func established(_ result: RegionResult? = nil) {
    if self.wasEstablished {
      self.conversation.restored("changes in between are reported with the next fix")
    } else if let result {
      self.onResult?(result)
    }
    self.wasEstablished = true
  }

  func deliver(_ notification: any AddressedNotification) -> Bool {
    guard var event = notification as? RegionEventNotification,
      let delivered = self.followed.received(event.event)
    else { return false }
    event.event = delivered
    self.onEvent?(event)
    return false
  }

  func disconnected() {
    self.isActive = false
    self.conversation.lost()
  }

  func suspended() -> Bool {
    guard self.wasEstablished else { return false }
    self.conversation.suspended()
    return true
  }

  func finish(_ error: PositionError?) {
    if let error { self.conversation.fail(error) }
  }

  func sendCommands(on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void) {}
  func end(_ reason: EndReason) {}
  func cancel(on connection: DaemonConnection) {}
}
