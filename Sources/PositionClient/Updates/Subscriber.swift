import JSONRPC
import PositionProtocol
import Positioning

/// A subscription that somebody iterates, whatever it delivers. It belongs to the loop's thread.
protocol LiveSubscriber: AnyObject {
  /// What the daemon's notifications for it are known by, while it stands.
  var recipient: Recipient? { get }
  /// When it is over by itself, where it does not stand and that is known.
  var expiry: Instant? { get }

  /// Asks for what it has not had yet; the handler gets the error where it was refused.
  ///
  /// - Returns: Whether anything is left to ask for.
  func subscribe(
    on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void
  ) -> Bool
  /// There is no connection.
  func disconnected()
  /// Passes a notification on; returns whether it was the last that was asked for.
  func deliver(_ notification: any AddressedNotification) -> Bool
  /// Nothing more comes, because of the error if there is one.
  func finish(_ error: PositionError?)
  /// Ends it on the daemon.
  func cancel(on connection: DaemonConnection)
}

/// A subscription whose updates are put into a mailbox.
final class Subscriber<Update: SubscriptionUpdate>: LiveSubscriber {
  private(set) var recipient: Recipient?
  private let request: Update.Request
  private let mailbox: Mailbox<Update>
  private var past = Past()
  private var isToldDisconnected = false

  init(_ request: Update.Request, mailbox: Mailbox<Update>) {
    self.request = request
    self.mailbox = mailbox
  }

  var expiry: Instant? {
    guard self.recipient == nil, let begun = self.past.begun else { return nil }
    return self.request.lifetime.map { begun + $0 }
  }

  func subscribe(
    on connection: DaemonConnection, now: Instant, then handler: @escaping (PositionError?) -> Void
  ) -> Bool {
    guard let request = self.past.begun == nil ? self.request : self.request.remaining(after: self.past, now: now)
    else { return false }
    connection.request(request) { [weak self] result in
      switch result {
      case .success(let answer):
        self?.stood(answer, now: now)
        handler(nil)
      case .failure(let error): handler(error)
      }
    }
    return true
  }

  private func stood(_ answer: Update.Request.Result, now: Instant) {
    self.recipient = self.request.recipient(answer)
    self.past.stood(now: now)
    guard self.isToldDisconnected else { return }
    self.isToldDisconnected = false
    self.mailbox.put(.reconnected(answer), as: .reconnection)
  }

  func disconnected() {
    self.recipient = nil
    guard !self.isToldDisconnected else { return }
    self.isToldDisconnected = true
    self.mailbox.put(.disconnected, as: .disconnection)
  }

  func deliver(_ notification: any AddressedNotification) -> Bool {
    guard let update = Update(notification), !self.past.has(update) else { return false }
    self.past.delivered(update)
    self.mailbox.put(update)
    // The daemon ends one itself that it made for all that was asked.
    return self.past.isRemade && self.request.isComplete(after: self.past)
  }

  func finish(_ error: PositionError?) {
    self.mailbox.finish(error)
  }

  func cancel(on connection: DaemonConnection) {
    guard let recipient, let cancellation = self.request.cancellation(recipient) else { return }
    connection.request(cancellation) { _ in }
  }
}
