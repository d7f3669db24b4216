import Broker
import EventLoop
import Gpsd
import JSONRPC
import PositionProtocol
import Positioning

/// gpsd's protocol, as positiond speaks it in gpsd's place. A client needs positions only while it watches.
final class SpokenGpsd: SpokenProtocol {
  private var watch: WatchSubscriptions
  private var serving = GpsdServing()
  /// Whether a request may be waiting.
  private var hasRequests = false
  /// Calls of a request that was served, and whether the connection closes after it.
  private var waiting = Fifo<SpokenAction>()

  init(integrity: IntegrityDemand = .suspect) {
    // A poll right after the beginning gets the fix that others have.
    self.watch = WatchSubscriptions(replay: .any, integrity: integrity)
  }

  // MARK: From the client

  func begin(_ client: inout ServedClient) -> [SpokenAction] {
    client.queue.append(GpsdServing.banner)
    return []
  }

  func received(_ bytes: ArraySlice<UInt8>) {
    self.serving.append(bytes)
    self.hasRequests = true
  }

  /// The client has left, whether or not it has closed its side.
  func receivedEnd() -> [SpokenAction] { [.close] }

  var hasUnserved: Bool { self.hasRequests || !self.waiting.isEmpty }

  func forgetUnserved() {
    self.hasRequests = false
    self.waiting.removeAll()
  }

  func next(_ client: inout ServedClient) -> ServedPart {
    if let action = self.waiting.popFirst() { return ServedPart(action: action) }
    guard let actions = self.serving.next(at: Timestamp(since1970: client.moment.since1970)) else {
      self.hasRequests = false
      return ServedPart()
    }
    for action in actions {
      switch action {
      case .send(let bytes): client.queue.append(bytes)
      case .answer(let bytes, let reveals, let otherwise):
        client.queue.append(.answer(bytes, otherwise: otherwise, Sensitivity(reveals)))
      case .beginWatch: for call in self.watch.begin(client) { self.waiting.append(call) }
      case .endWatch: for call in self.watch.end(client) { self.waiting.append(call) }
      case .close: self.waiting.append(.close)
      }
    }
    return ServedPart(isRequest: true, action: self.waiting.popFirst())
  }

  var openCalls: Int { self.watch.openCalls }

  // MARK: From the broker

  func answered(_ call: CallID, _ answer: Answer, _ client: inout ServedClient) -> [SpokenAction] {
    self.receive(self.watch.answered(call, answer), &client)
    return []
  }

  func notified(_ notification: Notification, _ client: inout ServedClient) -> [SpokenAction] {
    let (news, actions) = self.watch.notified(notification, client)
    self.receive(news, &client)
    return actions
  }

  private func receive(_ news: WatchSubscriptions.News?, _ client: inout ServedClient) {
    switch news {
    case .position(let update):
      if update.isReplay, let fix = update.fix, !fix.isReduced {
        // gpsd has no fix from before its receiver was started.
        if update.availability.meansFixes { self.serving.began(with: fix) }
      } else if let fix = update.fix {
        Self.append(self.serving.fixed(fix), Sensitivity(fix.reveals), &client)
      } else if !self.watch.givesFixes(update.availability) {
        Self.append(self.serving.lost(), .open, &client)
        if update.availability == .denied { self.explain(client.limit.denial, &client) }
      }
    case .sky(let sky): Self.append(self.serving.received(sky), .precise, &client)
    case .heading(let heading): Self.append(self.serving.turned(to: heading), .precise, &client)
    case .refused(let failure): self.explain(failure, &client)
    case nil: break
    }
  }

  /// A client that may know less learns it before it gets anything else. Without permission the broker says why.
  func limitChanged(denial: RPCError, _ client: inout ServedClient) -> [SpokenAction] {
    let reports = self.serving.limit(to: client.limit.precision)
    if !reports.isEmpty {
      self.explain(client.limit.denial, &client)
      Self.append(reports, .open, &client)
    }
    return []
  }

  private func explain(_ failure: CallFailure, _ client: inout ServedClient) {
    let error = RPCError(failure, at: client.moment)
    let remedy = if case .string(let remedy)? = error.data?["remedy"] { "; \(remedy)" } else { "" }
    client.queue.append(GpsdServing.error(error.message + remedy))
  }

  private static func append(_ reports: [GpsdServing.Report], _ sensitivity: Sensitivity, _ client: inout ServedClient)
  { for report in reports { client.queue.append(report: report.text, kind: report.kind.rawValue, sensitivity) } }

  func farewell(_ reason: ClosingReason) -> [UInt8]? {
    GpsdServing.error("positiond closes the connection: \(reason.rawValue)")
  }
}
