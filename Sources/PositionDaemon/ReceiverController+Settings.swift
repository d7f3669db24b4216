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
    loop: EventLoop, _ settings: Settings, stopped: StoppedReceiver?, persistence: Persistence,
    emit: @escaping (ReceiverEvent) -> Void, in world: World
  ) throws(SystemError) {
    try self.init(
      loop: loop, gpsd: settings.gpsd, power: settings.power, stopped: stopped,
      silence: settings.broker.fixes.lossAfter, jitterSeed: loop.randomNumber(),
      ports: Ports(
        emit: emit, store: { stopped, report in persistence.keep([.putStoppedReceiver(stopped)], report: report) },
        askUnit: { unit, report in
          world.units.ask(unit) { answer in
            switch answer {
            case .success(let isBusy): report(isBusy ? .busy : .idle)
            case .failure(let error): report(.unknown("\(error)"))
            }
          }
        },
        startUnit: { unit, report in
          world.units.run(unit) { result in
            switch result {
            case .success: report(.done)
            case .failure(let error): report(error.mayHaveRun ? .failed("\(error)") : .notStarted("\(error)"))
            }
          }
        },
        log: { world.log.write($0, $1) }))
  }
}
