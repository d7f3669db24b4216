import Broker
package import Configuration
package import EventLoop
import Positioning
import Receiver
import Systemd

/// Starts the receiver if a daemon stopped it and could not start it again: for the removal of the package, after which
/// nobody else would.
package enum ReceiverStart {
  /// Runs while no daemon does, which would have the database open.
  package static func run(_ settings: Settings, on loop: EventLoop, in world: World) throws -> Int32 {
    let log = world.log
    guard world.disk.exists(settings.store) else { return ExitCode.success }
    let (persistence, stored) = Persistence.open(settings.store, on: loop, now: loop.readClock(), in: world)
    guard persistence.isOpen else { return ExitCode.failure }
    defer { persistence.close() }
    guard let stopped = stored.stoppedReceiver else {
      log.write(.receiverStarted, "no receiver is stopped")
      return ExitCode.success
    }
    let receiver = try ReceiverController(
      loop: loop, settings, stopped: stopped,
      store: { stopped, report in persistence.keep([.putStoppedReceiver(stopped)], report: report) }, emit: { _ in },
      in: world)
    receiver.end { loop.stop() }
    _ = try loop.run()
    let isStarted = !receiver.isStopped
    log.write(
      isStarted ? .receiverStarted : .receiverNotStarted,
      isStarted ? "the receiver is started" : "the receiver could not be started")
    return isStarted ? ExitCode.success : ExitCode.failure
  }
}
