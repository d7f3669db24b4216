package import EventLoop
package import Gpsd
package import Positioning
package import ReceiverPorts

/// Turns the receiver on and releases it, in the configured way, and reports the result to the broker.
///
/// All events of the receiver pass through here on their way to the broker. It lives on the loop's
/// thread.
package final class ReceiverController {
  private let loop: EventLoop
  private let emit: (ReceiverEvent) -> Void
  private let connection: GpsdConnection
  private var rung: WatchRung
  private var timer: LoopTimer?

  /// - Parameters:
  ///   - silence: how long the receiver may send no position before it counts as silent.
  ///   - emit: called with every event, in order, on the loop's thread.
  package init(
    loop: EventLoop, gpsd: GpsdSettings, silence: Duration, jitterSeed: UInt64,
    emit: @escaping (ReceiverEvent) -> Void, log: @escaping (LogKind, String) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.emit = emit
    self.rung = WatchRung(now: loop.now)
    let relay = Relay()
    self.connection = try GpsdConnection(
      loop: loop, settings: gpsd, silence: silence, jitterSeed: jitterSeed, emit: { relay.controller?.received($0) },
      log: log)
    relay.controller = self
    // The planner's timers need no more than a second's accuracy, which lets the machine sleep.
    self.timer = try loop.timer(accuracy: .seconds(1)) { [unowned self] in
      self.perform(self.rung.deadlineReached(now: self.loop.now))
    }
  }

  package func turn(on: Bool) {
    self.perform(self.rung.turned(on: on, now: self.loop.now))
  }

  /// The setting for how long the receiver may be silent changed.
  package func changeSilence(to silence: Duration) {
    self.connection.changeSilence(to: silence)
  }

  private func received(_ event: ReceiverEvent) {
    self.emit(event)
    if case .source(let source) = event {
      self.perform(self.rung.sourceChanged(to: source, now: self.loop.now))
    }
  }

  private func perform(_ actions: [WatchRung.Action]) {
    for action in actions {
      switch action {
      case .startSession: self.connection.start()
      case .stopSession: self.connection.stop()
      case .probe:
        self.connection.probe { [unowned self] isOpen in
          self.perform(self.rung.probed(isOpen: isOpen, now: self.loop.now))
        }
      case .setDeadline(let deadline?): self.timer?.arm(at: deadline)
      case .setDeadline(nil): self.timer?.disarm()
      case .report(let power): self.emit(.power(power))
      }
    }
  }

  /// Refers to the controller once it is initialised.
  private final class Relay {
    weak var controller: ReceiverController?
  }
}
