/// The kind of an update.
enum DeliveryKind {
  /// A notification of the daemon; only these count against a mailbox's capacity.
  case delivery
  case disconnection
  case reconnection
}

/// The destination of a subscription's updates: a mailbox, from which a task on another thread takes them, or a program
/// on the loop's own thread.
struct UpdateSink<Update> {
  let put: (Update, DeliveryKind) -> Void
  /// Removes the updates that wait and match, which the program may not know any more.
  var withhold: ((Update) -> Bool) -> Void = { _ in }
  /// Nothing more follows, because of the error if there is one.
  let finish: (PositionError?) -> Void
}

extension UpdateSink where Update: Sendable {
  init(_ mailbox: Mailbox<Update>) {
    self.init(
      put: { mailbox.put($0, as: $1) }, withhold: { mailbox.withhold($0) }, finish: { mailbox.finish($0) })
  }
}
