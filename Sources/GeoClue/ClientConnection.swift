import EventLoop
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning

/// The connection to the daemon of one client object, which asks for its program's user.
///
/// While nothing is followed it does not connect again.
final class ClientConnection {
  enum Event {
    /// What its program may know from now on; `nil`: nothing.
    case permitted(Precision?)
    case located(Fix)
    case suspended(Bool)
    case ended
  }

  private let loop: EventLoop
  private let socket: String
  private let uid: UInt32
  private let desktopID: String
  private let multiplexer: RequestMultiplexer
  private(set) var isFollowing = false

  init(on loop: EventLoop, socket: String, uid: UInt32, desktopID: String) {
    self.loop = loop
    self.socket = socket
    self.uid = uid
    self.desktopID = desktopID
    self.multiplexer = RequestMultiplexer(
      on: loop, path: socket, name: desktopID, purpose: "asks through GeoClue's interface", onBehalfOf: uid)
  }

  /// A connection for the same program in place of this one, which is closed: for a subscription with other parameters.
  func renewed() throws(SystemError) -> ClientConnection {
    self.close()
    let next = ClientConnection(on: self.loop, socket: self.socket, uid: self.uid, desktopID: self.desktopID)
    try next.multiplexer.begin()
    return next
  }

  /// Asks whether the user's program may know the position; if that is not decided, a person is asked.
  func authorize(
    _ precision: Precision, then decided: @escaping (GeoClueService.Decision) -> Void
  ) throws(SystemError) {
    try self.multiplexer.begin()
    self.ask(AuthorizationGetRequest()) { [weak self] result in
      guard let self, case .success(let authorization) = result, authorization.state == .notDetermined else {
        return decided(GeoClueService.Decision(result))
      }
      let request = AuthorizationRequest(level: .whenInUse, precision: precision)
      self.ask(AuthorizationRequestRequest(request)) { decided(GeoClueService.Decision($0)) }
    }
  }

  private func ask<Request: RequestType>(
    _ request: Request, then handler: @escaping (Result<Request.Result, PositionError>) -> Void
  ) {
    self.multiplexer.ask(
      ticket: self.multiplexer.makeTicket(), whileDown: .fail, send: { $0.request(request, then: $1) }, then: handler)
  }

  /// Follows the position over as many connections as necessary.
  func follow(_ subscription: SubscriptionChange, _ notify: @escaping (Event) -> Void) {
    self.isFollowing = true
    // Followed first, so that nothing precedes it.
    self.multiplexer.followAuthorization { notify(.permitted($0.isGranted ? $0.precision : nil)) }
    self.multiplexer.follow(PositionSubscribeRequest(subscription)) {
      (event: SubscriptionEvent<PositionSubscribeRequest>) in
      switch event {
      case .begun(let answer), .reconnected(let answer): notify(.suspended(answer.state == .suspended))
      case .notified(let notification):
        guard let update = (notification as? PositionUpdateNotification)?.update else { return }
        notify(.suspended(update.state == .suspended))
        if let fix = update.fix { notify(.located(fix)) }
      case .suspended: notify(.suspended(true))
      case .disconnected, .stopped: break
      case .over: notify(.ended)
      }
    }
  }

  /// Released later, because one of its own handlers may call this.
  func close() {
    let multiplexer = self.multiplexer
    self.loop.call { multiplexer.close() }
  }
}

extension GeoClueService.Decision {
  fileprivate init(_ result: Result<Authorization, PositionError>) {
    switch result {
    case .success(let authorization) where authorization.isGranted: self = .granted
    case .success(let authorization):
      self = .denied("this user may not know where the device is" + (authorization.remedy.map { ": \($0)" } ?? ""))
    case .failure(let error):
      let words = ["\(error)", error.advice].compactMap { $0 }.joined(separator: ": ")
      if case .notPermitted = error { self = .denied(words) } else { self = .unreachable(words) }
    }
  }
}
