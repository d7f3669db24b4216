import EventLoop

/// Runs one look on a real socket and timer; both are gone when it has finished, or goes itself.
final class GpsdLookRun {
  private let loop: EventLoop
  private let completion: (GpsdLook.Outcome) -> Void
  private var look: GpsdLook
  private var transport: GpsdTransport?
  private var timer: LoopTimer?

  init(
    loop: EventLoop, settings: GpsdSettings, completion: @escaping (GpsdLook.Outcome) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.completion = completion
    self.look = GpsdLook(settings: settings)
    self.timer = try loop.timer(accuracy: .milliseconds(100)) { [weak self] in
      guard let self else { return }
      self.perform(self.look.deadlineReached())
    }
    self.transport = try GpsdTransport(loop: loop, port: settings.port) { [weak self] event in
      self?.handle(event)
    }
  }

  deinit {
    self.transport?.close()
  }

  func start() {
    self.perform(self.look.started(now: self.loop.now))
  }

  private func handle(_ event: GpsdTransport.Event) {
    switch event {
    case .connected: self.perform(self.look.connected())
    case .connectionFailed(let reason): self.perform(self.look.connectionFailed(reason))
    case .message(let message): self.perform(self.look.received(message))
    case .ended(let end): self.perform(self.look.connectionEnded(end))
    case .droppedLines, .passedOver: break
    }
  }

  private func perform(_ actions: [GpsdLook.Action]) {
    for action in actions {
      switch action {
      case .connect(let address): self.transport?.connect(address: address)
      case .send(let request): self.transport?.send(request)
      case .close: self.transport?.close()
      case .arm(let deadline): self.timer?.arm(at: deadline)
      case .finish(let outcome):
        self.timer?.disarm()
        self.completion(outcome)
      }
    }
  }
}
