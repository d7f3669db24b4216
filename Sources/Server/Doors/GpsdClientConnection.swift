import Broker
import EventLoop
import Gpsd
import JSONRPC
import PositionProtocol
import Positioning

/// A client of the gpsd-compatible socket. A watch is a need, a connection without one is none.
final class GpsdClientConnection: StreamConnection {
  private var serving = GpsdServing()
  /// Whether a request may be waiting.
  private var hasRequests = false

  override func begin() {
    self.enqueue(GpsdServing.banner)
    // The broker's turn that admitted it is over.
    self.flush()
  }

  /// A client that may know less learns it before it gets anything else. Without permission the broker says why.
  override func limitChanged() {
    let reports = self.serving.limit(to: self.limit.precision)
    guard self.isOpen, !reports.isEmpty else { return }
    self.explain(self.limit.denial)
    self.enqueue(reports, .open)
  }

  // MARK: From the client

  override func received(_ bytes: ArraySlice<UInt8>) {
    self.serving.append(bytes)
    self.hasRequests = true
  }

  override var hasUnserved: Bool { self.hasRequests }

  override func forgetUnserved() { self.hasRequests = false }

  override func serveNext() -> Bool {
    guard self.hasRequests,
      let actions = self.serving.next(at: self.server.loop.clocks.timestamp())
    else {
      self.hasRequests = false
      return false
    }
    self.server.heard(self)
    for action in actions where self.isOpen { self.perform(action) }
    return true
  }

  private func perform(_ action: GpsdServing.Action) {
    switch action {
    case .send(let bytes): self.enqueue(bytes)
    case .answer(let bytes, let reveals, let otherwise):
      self.enqueue(.answer(bytes, otherwise: otherwise, Sensitivity(reveals)))
    case .beginWatch: self.beginWatch()
    case .endWatch: self.endWatch()
    case .close: self.drain()
    }
  }

  // MARK: To the client

  override func refused(_ failure: CallFailure) { self.explain(failure) }

  private func explain(_ failure: CallFailure) {
    let error = RPCError(failure, in: self.server.context(for: self))
    let remedy = if case .string(let remedy)? = error.data?["remedy"] { "; \(remedy)" } else { "" }
    self.enqueue(GpsdServing.error(error.message + remedy))
  }

  /// A poll right after the beginning gets the fix that others have.
  override var replay: SubscriptionParameters.Replay { .any }

  override func received(_ update: PositionUpdate) {
    if update.isReplay, let fix = update.fix, !fix.isReduced {
      // gpsd has no fix from before its receiver was started.
      if update.availability.meansFixes { self.serving.began(with: fix) }
    } else if let fix = update.fix {
      self.enqueue(self.serving.fixed(fix), Sensitivity(fix.reveals))
    } else if update.availability != .available, update.availability != .accuracyLimited {
      self.enqueue(self.serving.lost(), .open)
      if update.availability == .denied { self.explain(self.limit.denial) }
    }
  }

  override func received(_ sky: Sky) { self.enqueue(self.serving.received(sky), .precise) }

  override func received(_ heading: Heading?) { self.enqueue(self.serving.turned(to: heading), .precise) }

  private func enqueue(_ reports: [GpsdServing.Report], _ sensitivity: Sensitivity) {
    for report in reports { self.enqueue(report.text, kind: report.kind.rawValue, sensitivity) }
  }

  override func farewell(_ reason: ClosingReason) -> [UInt8]? {
    GpsdServing.error("positiond closes the connection: \(reason.rawValue)")
  }
}
