package import EventLoop
package import Positioning
package import ReceiverPorts
package import UBX

/// What a connection with gpsd brings about assistance.
package enum GpsdAssistEvent: Hashable, Sendable {
  /// What a receiver knows of its satellites, or its answer to what it was given or set to.
  case received(UBXFrame)
  /// gpsd refused to write; in its words.
  case refused(String)
}

/// Runs the session with gpsd on a real socket, clock and timer.
///
/// It belongs to the loop's thread. The handler of its events may start or stop it.
package final class GpsdConnection {
  private let loop: EventLoop
  private let settings: GpsdSettings
  private let emit: (ReceiverEvent) -> Void
  private let wrote: (GpsdWriteResult) -> Void
  private let assisted: (GpsdAssistEvent) -> Void
  private let log: (LogKind, LogMessage) -> Void
  private var session: GpsdSession
  private var transport: GpsdTransport?
  private var timer: LoopTimer?
  private var probe: GpsdProbeRun?
  /// Actions that are not executed yet. An action may cause further ones, which are queued behind it.
  private var queue = Fifo<GpsdSession.Action>()
  private var isPerforming = false
  /// Whether the log has a message about superseded reports of this connection.
  private var hasReportedBacklog = false

  /// - Parameters:
  ///   - silence: how long no position may arrive until the receiver counts as silent.
  ///   - jitterSeed: differs between programs, so that they do not retry at the same time.
  ///   - emit: called with every event, in order, on the loop's thread.
  ///   - wrote: Called with what became of bytes that were written.
  ///   - assisted: Called with what a receiver says about assistance.
  ///   - log: called with messages for the administrator, without positions.
  package init(
    loop: EventLoop, settings: GpsdSettings, silence: Duration, jitterSeed: UInt64, turnBudget: Duration? = nil,
    emit: @escaping (ReceiverEvent) -> Void, wrote: @escaping (GpsdWriteResult) -> Void = { _ in },
    assisted: @escaping (GpsdAssistEvent) -> Void = { _ in },
    log: @escaping (LogKind, LogMessage) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.settings = settings
    self.emit = emit
    self.wrote = wrote
    self.assisted = assisted
    self.log = log
    self.session = GpsdSession(settings: settings, silence: silence, jitterSeed: jitterSeed)
    // No deadline here needs more than a third of a second's accuracy, and a coarse timer wakes the machine less often.
    self.timer = try loop.timer(accuracy: .milliseconds(100)) { [weak self] in
      guard let self else { return }
      // In a turn that comes late, what gpsd has sent meanwhile may still wait: gpsd was not silent.
      self.transport?.receiveWaiting()
      self.perform(self.session.deadlineReached(now: self.loop.now))
    }
    self.transport = try GpsdTransport(
      loop: loop, port: settings.port, turnBudget: turnBudget ?? GpsdTransport.turnBudget
    ) { [weak self] event in
      self?.handle(event)
    }
  }

  deinit {
    self.transport?.close()
  }

  /// The receiver is needed. A second call does nothing.
  package func start() {
    self.perform(self.session.started(now: self.loop.now))
  }

  /// Closes the connection at once; afterwards there is no timer and no socket.
  package func stop() {
    self.perform(self.session.stopped())
  }

  /// Has gpsd write to the receiver, as soon as it watches for us; nothing if it is stopped.
  package func write(_ bytes: [UInt8]) {
    self.perform(self.session.write(bytes))
  }

  /// Has gpsd write what assists a start or saves power; nothing unless it watches for us now.
  package func assist(_ bytes: [UInt8]) { self.perform(self.session.assist(bytes)) }

  /// Asks gpsd again for the receiver's own messages.
  package func askForPackets() { self.perform(self.session.askForPackets(now: self.loop.now)) }

  /// This process did not run for so long, until now.
  package func gapEnded(_ gap: Duration) {
    self.perform(self.session.gapEnded(gap))
  }

  /// Whether a silent receiver is no fault from now on.
  package func expectSilence(_ isExpected: Bool) {
    self.session.expectSilence(isExpected)
  }

  /// The setting for how long the receiver may be silent changed.
  package func changeSilence(to silence: Duration) {
    self.session.changeSilence(to: silence)
  }

  /// Probes once whether gpsd has the receiver open, on a connection of its own and without watching; the result is
  /// `nil` if that is unknown. A second probe replaces one that is running, whose completion is never called.
  package func probe(completion: @escaping (_ isOpen: Bool?) -> Void) {
    do {
      let run = try GpsdProbeRun(loop: self.loop, settings: self.settings) { [weak self] finding in
        guard let self else { return }
        self.probe = nil
        completion(finding.isOpen(self.settings.device))
      }
      self.probe = run
      run.start()
    } catch {
      completion(nil)
    }
  }

  private func handle(_ event: GpsdTransport.Event) {
    let now = self.loop.now
    switch event {
    case .connected:
      self.hasReportedBacklog = false
      self.perform(self.session.connected(now: now))
    case .connectionFailed(let error): self.perform(self.session.connectionFailed(error.message, now: now))
    case .message(let message): self.perform(self.session.received(message, now: now))
    case .ended(let end): self.perform(self.session.connectionEnded(end, now: now))
    case .droppedLines(let count):
      self.note(.gpsdComplaint, "gpsd sent \(count) lines longer than \(LineSplitter.limit) bytes; ignoring them")
    case .passedOver(let epochs):
      if !self.hasReportedBacklog {
        self.note(.reportsSkipped, "reports arrive faster than they can be processed; skipping to the newest")
      }
      self.hasReportedBacklog = true
      self.emit(.superseded(epochs: epochs))
    }
  }

  private func note(_ kind: LogKind, _ message: LogMessage) {
    self.perform(self.session.noted(kind, message, now: self.loop.now))
  }

  private func perform(_ actions: [GpsdSession.Action]) {
    for action in actions { self.queue.append(action) }
    guard !self.isPerforming else { return }
    self.isPerforming = true
    while let action = self.queue.popFirst() { self.perform(action) }
    self.isPerforming = false
  }

  private func perform(_ action: GpsdSession.Action) {
    switch action {
    case .connect(let address): self.transport?.connect(address: address)
    case .send(let request): self.transport?.send(request)
    case .close: self.transport?.close()
    case .arm(let deadline): self.timer?.arm(at: deadline)
    case .disarm: self.timer?.disarm()
    case .emit(let event): self.emit(event)
    case .wrote(let result): self.wrote(result)
    case .assistRefused(let reason): self.assisted(.refused(reason))
    case .received(let frame): self.assisted(.received(frame))
    case .log(let kind, let message): self.log(kind, message)
    }
  }
}
