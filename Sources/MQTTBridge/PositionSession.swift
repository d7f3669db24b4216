import EventLoop
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning

/// A connection to positiond, from registering to the acknowledgements; another one is another object.
final class PositionSession {
  private let settings: BridgeSettings
  private let multiplexer: RequestMultiplexer
  private var handler: ((BridgeEvent) -> Void)?
  private var name: String { self.settings.position.durable }

  /// Begins to connect and to register. It waits for positiond without a limit.
  ///
  /// - Parameter handler: Called on the loop's thread.
  init(_ settings: BridgeSettings, on loop: EventLoop, handler: @escaping (BridgeEvent) -> Void) {
    self.settings = settings
    self.handler = handler
    let path = SocketPath.resolved(
      settings.position.socket,
      environment: Environment.value(SocketPath.variable).map { [SocketPath.variable: $0] } ?? [:])
    self.multiplexer = RequestMultiplexer(
      on: loop, path: path, name: "positiond-mqtt", purpose: "publishes the position over MQTT")
  }

  func begin() {
    do throws(SystemError) {
      try self.multiplexer.begin()
    } catch {
      self.handler?(.sessionFailed("positiond cannot be reached: \(error)"))
      return
    }
    // Asked first, so that no event precedes it. What outlives the connection needs `always`.
    self.multiplexer.followAuthorization { [weak self] authorization in
      self?.handler?(.permitted(authorization.state == .always ? authorization.precision : nil))
    }
    self.ask(DurableListRequest()) { [unowned self] result in self.register(after: result.names) }
  }

  func close() {
    self.handler = nil
    self.multiplexer.close()
  }

  private func fail(_ error: PositionError) {
    // What `close` ends is no failure.
    guard self.handler != nil, error != .closed else { return }
    self.handler?(.sessionFailed("\(error)\(error.advice.map { "; \($0)" } ?? "")"))
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

  /// Brings what is registered in line with the settings. What fits stays, because a new registration would drop what the
  /// old one has collected.
  private func register(after names: [DurableInfo]) {
    let present = names.first { $0.name == self.name }
    var steps: [(@escaping () -> Void) -> Void] = []
    func add<Request: RequestType>(_ request: Request) {
      steps.append { [unowned self] next in self.ask(request) { _ in next() } }
    }
    let durable = DurableRequest(name: self.name)
    let wanted = self.settings.regions.compactMap(\.region)
    let registered = present?.regions.map(\.region) ?? []
    for region in registered where !wanted.contains(where: { $0.id == region.id }) {
      add(RegionRemoveRequest(id: region.id, durable: self.name))
    }
    for region in wanted where !registered.contains(region) { add(RegionAddRequest(region: region, durable: durable)) }
    if let change = self.settings.position.subscription {
      if present?.position == change.parameters {
        add(SubscriptionResumeRequest(.durable(self.name)))
      } else {
        add(PositionSubscribeRequest(change, durable: durable))
      }
    } else if present?.position != nil {
      // Paused and not removed: its waiting events stay.
      add(SubscriptionPauseRequest(.durable(self.name)))
    }
    let lastEvent = Int(clamping: present?.lastEvent ?? 0)
    self.perform(steps[...]) { [unowned self] in self.handler?(.registered(lastEvent: lastEvent)) }
  }

  /// One after the other, so that the first error is the one that is reported.
  private func perform(_ steps: ArraySlice<(@escaping () -> Void) -> Void>, then end: @escaping () -> Void) {
    guard let first = steps.first else { return end() }
    first { [unowned self] in self.perform(steps.dropFirst(), then: end) }
  }

  // MARK: Events

  func attach(since last: Int?) {
    self.multiplexer.follow(DurableAttachRequest(name: self.name, sinceEvent: last)) {
      [weak self] (event: SubscriptionEvent<DurableAttachRequest>) in self?.followed(event)
    }
    self.multiplexer.follow(StatusSubscribeRequest()) {
      [weak self] (event: SubscriptionEvent<StatusSubscribeRequest>) in
      if case .notified(let notification as StatusUpdateNotification) = event {
        self?.handler?(.status(notification.status))
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
  func acknowledge(through id: Int) {
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

extension BridgeSettings.Position {
  /// What is registered; `nil`: no positions.
  var subscription: SubscriptionChange? {
    var change = SubscriptionChange()
    change.accuracy = .level(self.accuracy)
    switch self.mode {
    case .none: return nil
    case .significant:
      change.mode = .significant
      change.significantDistance = self.distance
      change.significantInterval = self.interval
    case .deferred:
      change.mode = .deferred
      change.minDistance = self.distance
      change.minInterval = self.interval
      change.deferredTimeout = self.batch
    }
    return change
  }
}
