package import EventLoop
import Glibc

/// Runs one probe on a real socket and timer; both are closed when it has finished or is released.
package final class GpsdProbeRun {
  private let loop: EventLoop
  private let completion: (GpsdFinding) -> Void
  private var probe: GpsdProbe
  private var transport: GpsdTransport?
  private var timer: LoopTimer?

  /// - Parameters:
  ///   - owner: The user for whom root probes; `nil`: the user of this process.
  ///   - limit: How long gpsd may take.
  package init(
    loop: EventLoop, settings: GpsdSettings, owner: UInt32? = nil, limit: Duration = .seconds(10),
    completion: @escaping (GpsdFinding) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.completion = completion
    self.probe = GpsdProbe(settings: settings, limit: limit)
    self.timer = try loop.timer(accuracy: .milliseconds(100)) { [weak self] in
      guard let self else { return }
      self.perform(self.probe.deadlineReached(hasHeard: self.transport?.hasSpoken ?? false))
    }
    self.transport = try GpsdTransport(loop: loop, port: settings.port, owner: owner) { [weak self] event in
      self?.handle(event)
    }
  }

  deinit {
    self.transport?.close()
  }

  /// Begins; the completion may be called before this returns.
  package func start() {
    self.perform(self.probe.started(now: self.loop.now))
  }

  private func handle(_ event: GpsdTransport.Event) {
    switch event {
    case .connected: self.perform(self.probe.connected())
    case .connectionFailed(let error):
      self.perform(self.probe.connectionFailed(error.message, isRefused: error.code == ECONNREFUSED))
    case .message(let message): self.perform(self.probe.received(message))
    case .ended(let end): self.perform(self.probe.connectionEnded(end))
    // Only another program's lines are that long.
    case .droppedLines: self.perform(self.probe.received(.invalid))
    case .passedOver: break
    }
  }

  private func perform(_ actions: [GpsdProbe.Action]) {
    for action in actions {
      switch action {
      case .connect(let address): self.transport?.connect(address: address)
      case .send(let request): self.transport?.send(request)
      case .close: self.transport?.close()
      case .arm(let deadline): self.timer?.arm(at: deadline)
      case .finish(let finding):
        self.timer?.disarm()
        self.completion(finding)
      }
    }
  }
}
