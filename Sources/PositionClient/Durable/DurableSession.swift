package import EventLoop
import JSONRPC
import PositionProtocol
package import Positioning

/// A connection to positiond for a program of this package that follows a durable name: from registering to the
/// acknowledgements. Another connection after a failure is another object.
package final class DurableSession {
  /// What is registered under the name.
  package struct Registration: Hashable, Sendable {
    package var regions: [Region]
    /// `nil`: no positions.
    package var position: SubscriptionChange?
    package var hasVisits: Bool

    package init(regions: [Region], position: SubscriptionChange?, hasVisits: Bool = false) {
      self.regions = regions
      self.position = position
      self.hasVisits = hasVisits
    }
  }

  package enum Event: Sendable {
    /// What positiond lets the program know from now on.
    case permitted(Authorization)
    /// Everything is registered under the durable name, whose newest event has this number.
    case registered(lastEvent: Int)
    /// positiond delivers events from now on, on a first or a new connection, and the newest has this number.
    case attached(lastEvent: Int)
    /// An event of the durable name, or of its connection.
    case happened(DurableEvent)
    /// Nothing more comes, for this reason.
    case failed(String)
    /// positiond's status has changed.
    case status(DaemonStatus)
    /// positiond has acknowledged the events up to this one.
    case acknowledged(Int)
    /// A person or a rule has decided what was requested, or nobody can.
    case decided
    /// What comes while the program is connected.
    case streamed(PositionUpdate)
  }

  private let name: String
  private let multiplexer: RequestMultiplexer
  private var handler: ((Event) -> Void)?
  private var hasBegun = false

  /// - Parameters:
  ///   - name: The durable name.
  ///   - socket: positiond's socket; `nil`: that of the environment, or the installed one.
  ///   - handler: Called on the loop's thread.
  package init(
    _ name: String, socket: String?, program: String, purpose: String, on loop: EventLoop,
    handler: @escaping (Event) -> Void
  ) {
    self.name = name
    self.handler = handler
    let path = SocketPath.resolved(
      socket, environment: Environment.value(SocketPath.variable).map { [SocketPath.variable: $0] } ?? [:])
    self.multiplexer = RequestMultiplexer(on: loop, path: path, name: program, purpose: purpose)
  }

  /// Begins to connect; `permitted` follows. It waits for positiond without a limit.
  package func begin() {
    do throws(SystemError) {
      try self.multiplexer.begin()
    } catch {
      self.handler?(.failed("positiond cannot be reached: \(error)"))
      return
    }
    self.hasBegun = true
    // Asked first, so that no event precedes it.
    self.multiplexer.followAuthorization { [weak self] in self?.handler?(.permitted($0)) }
  }

  package func close() {
    self.handler = nil
    self.multiplexer.close()
  }

  private func fail(_ error: PositionError) {
    // What `close` ends is no failure.
    guard self.handler != nil, error != .closed else { return }
    self.handler?(.failed("\(error)\(error.advice.map { "; \($0)" } ?? "")"))
  }

  /// Sends a request that may be repeated, and waits for positiond without a limit.
  private func ask<Request: RequestType>(_ request: Request, then handler: @escaping (Request.Result) -> Void) {
    self.multiplexer.ask(ticket: self.multiplexer.makeTicket(), whileDown: .wait(until: nil)) { connection, answer in
      connection.request(request, then: answer)
    } then: { [weak self] (result: Result<Request.Result, PositionError>) in
      switch result {
      case .success(let value): handler(value)
      case .failure(let error): self?.fail(error)
      }
    }
  }

  // MARK: Registering

  /// Brings what is registered in line with what is wanted: `registered` follows. What fits stays, because a new registration
  /// would drop what the old one has collected.
  package func register(_ wanted: Registration) {
    guard self.hasBegun else { return }
    self.ask(DurableListRequest()) { [unowned self] result in
      self.register(wanted, after: result.names.first { $0.name == self.name })
    }
  }

  private func register(_ wanted: Registration, after present: DurableInfo?) {
    var steps: [(@escaping () -> Void) -> Void] = []
    func add<Request: RequestType>(_ request: Request) {
      steps.append { [unowned self] next in self.ask(request) { _ in next() } }
    }
    let durable = DurableRequest(name: self.name)
    let registered = present?.regions.map(\.region) ?? []
    for region in registered where !wanted.regions.contains(where: { $0.id == region.id }) {
      add(RegionRemoveRequest(id: region.id, durable: self.name))
    }
    for region in wanted.regions where !registered.contains(region) {
      add(RegionAddRequest(region: region, durable: durable))
    }
    if let change = wanted.position {
      if present?.position == change.parameters {
        add(SubscriptionResumeRequest(.durable(self.name)))
      } else {
        add(PositionSubscribeRequest(change, durable: durable))
      }
    } else if present?.position != nil {
      // Paused and not removed: its waiting events stay.
      add(SubscriptionPauseRequest(.durable(self.name)))
    }
    if wanted.hasVisits, present?.hasVisits != true { add(VisitSubscribeRequest(durable: durable)) }
    let lastEvent = Int(clamping: present?.lastEvent ?? 0)
    self.perform(steps[...]) { [unowned self] in self.handler?(.registered(lastEvent: lastEvent)) }
  }

  /// One after the other, so that the first error is the one that is reported.
  private func perform(_ steps: ArraySlice<(@escaping () -> Void) -> Void>, then end: @escaping () -> Void) {
    guard let first = steps.first else { return end() }
    first { [unowned self] in self.perform(steps.dropFirst(), then: end) }
  }

  /// Asks whoever decides: `decided` follows, and `permitted` if it changes anything.
  package func requestPermission(_ level: AuthorizationLevel) {
    let request = AuthorizationRequestRequest(AuthorizationRequest(level: level))
    self.multiplexer.ask(ticket: self.multiplexer.makeTicket(), whileDown: .fail) { connection, answer in
      connection.request(request, then: answer)
    } then: { [weak self] (_: Result<AuthorizationRequestRequest.Result, PositionError>) in
      self?.handler?(.decided)
    }
  }

  // MARK: Events

  /// Takes the events of the name from now on: `attached` follows.
  ///
  /// - Parameter last: Events up to this one are taken already.
  package func attach(since last: Int?) {
    self.multiplexer.follow(DurableAttachRequest(name: self.name, sinceEvent: last)) {
      [weak self] (event: SubscriptionEvent<DurableAttachRequest>) in self?.followed(event)
    }
  }

  package func followStatus() {
    self.multiplexer.follow(StatusSubscribeRequest()) {
      [weak self] (event: SubscriptionEvent<StatusSubscribeRequest>) in
      if case .notified(let notification as StatusUpdateNotification) = event {
        self?.handler?(.status(notification.status))
      }
    }
  }

  /// Follows positions while the program is connected: `streamed` follows.
  package func stream(_ change: SubscriptionChange) {
    self.multiplexer.follow(PositionSubscribeRequest(change)) {
      [weak self] (event: SubscriptionEvent<PositionSubscribeRequest>) in
      switch event {
      case .begun(let answer), .reconnected(let answer):
        self?.handler?(.streamed(PositionUpdate(availability: answer.availability, state: answer.state)))
      case .notified(let notification as PositionUpdateNotification): self?.handler?(.streamed(notification.update))
      case .disconnected:
        self?.handler?(.streamed(PositionUpdate(availability: .unknown, state: .waiting, reason: .disconnected)))
      case .suspended:
        self?.handler?(.streamed(PositionUpdate(availability: .denied, state: .suspended, reason: .suspended)))
      case .notified, .stopped: break
      case .over(let error):
        self?.fail(error ?? .connectionLost(reason: "positiond ended the delivery of positions"))
      }
    }
  }

  private func followed(_ event: SubscriptionEvent<DurableAttachRequest>) {
    switch event {
    case .begun(let answer): self.handler?(.attached(lastEvent: Int(clamping: answer.lastEvent)))
    case .notified(let notification):
      if let event = DurableEvent(notification) { self.handler?(.happened(event)) }
    case .disconnected: self.handler?(.happened(DurableEvent(reason: .disconnected)))
    case .suspended: self.handler?(.happened(DurableEvent(reason: .suspended)))
    case .reconnected(let answer):
      self.handler?(.attached(lastEvent: Int(clamping: answer.lastEvent)))
      self.handler?(.happened(DurableEvent(reason: .reconnected)))
    case .stopped(.replaced): self.handler?(.happened(DurableEvent(reason: .replaced)))
    case .stopped(.cancelled): self.handler?(.happened(DurableEvent(reason: .removed)))
    case .stopped: break
    case .over(let error): self.fail(error ?? .connectionLost(reason: "positiond ended the delivery of events"))
    }
  }

  /// Sent once: on another connection it could be too much.
  package func acknowledge(through id: Int) {
    let request = DurableAcknowledgeRequest(name: self.name, event: id)
    self.multiplexer.ask(ticket: self.multiplexer.makeTicket(), whileDown: .fail) { connection, answer in
      connection.request(request, then: answer)
    } then: { [weak self] (result: Result<DurableAcknowledgeRequest.Result, PositionError>) in
      switch result {
      case .success: self?.handler?(.acknowledged(id))
      case .failure(let error) where error.isOfConnection: break
      case .failure(let error): self?.fail(error)
      }
    }
  }
}

extension PositionError {
  /// Whether there was no connection, or it was lost. Another one follows.
  fileprivate var isOfConnection: Bool {
    switch self {
    case .daemonNotRunning, .notAllowedToConnect, .cannotConnect, .connectionLost, .closed: true
    case .failed(let error): error.code == .shuttingDown
    case .cancelled, .notPermitted, .unexpected: false
    }
  }
}
