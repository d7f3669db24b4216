import Broker
import Configuration
import EventLoop
import Positioning
import Receiver
import ReceiverPorts
import Systemd

extension ReceiverController {
  /// The controller of a daemon with these settings.
  ///
  /// - Parameter stopped: The receiver that an earlier daemon turned off and did not turn on again.
  convenience init(
    loop: EventLoop, _ settings: Settings, stopped: StoppedReceiver?, persistence: Persistence, starter: UnitStarter,
    emit: @escaping (ReceiverEvent) -> Void, log: Log
  ) throws(SystemError) {
    try self.init(
      loop: loop, gpsd: settings.gpsd, power: settings.power, stopped: stopped,
      silence: settings.broker.fixes.lossAfter, jitterSeed: UInt64.random(in: 0...UInt64.max),
      ports: Ports(
        emit: emit, store: { stopped, report in persistence.keep([.putStoppedReceiver(stopped)], report: report) },
        startUnit: { unit, report in
          starter.run(unit) { result in
            if case .failure(let error) = result { report("\(error)") } else { report(nil) }
          }
        },
        log: { log.write($0, $1) }))
  }
}
