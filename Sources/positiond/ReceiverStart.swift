import Broker
import Configuration
import EventLoop
import Glibc
import Positioning
import Receiver
import Systemd

/// Starts the receiver if a daemon stopped it and could not start it again: for the removal of the package, after which
/// nobody else would.
enum ReceiverStart {
  /// Runs while no daemon does, which would have the database open.
  static func run(_ settings: Settings, log: Log) throws -> Int32 {
    let loop = try EventLoop()
    guard unsafe access(settings.store, F_OK) == 0 else { return ExitCode.success }
    let (persistence, stored) = Persistence.open(settings.store, on: loop, now: EventLoop.readClock(), log: log)
    guard persistence.isOpen else { return ExitCode.failure }
    defer { persistence.close() }
    guard let stopped = stored.stoppedReceiver else {
      log.write(.receiverStarted, "no receiver is stopped")
      return ExitCode.success
    }
    let receiver = try ReceiverController(
      loop: loop, settings, stopped: stopped, persistence: persistence, starter: try UnitStarter(loop: loop),
      emit: { _ in }, log: log)
    receiver.end { loop.stop() }
    _ = try loop.run()
    let isStarted = !receiver.isStopped
    log.write(
      isStarted ? .receiverStarted : .receiverNotStarted,
      isStarted ? "the receiver is started" : "the receiver could not be started")
    return isStarted ? ExitCode.success : ExitCode.failure
  }
}
