import Broker
import Configuration
import EventLoop
import Positioning
import Receiver
import ReceiverPorts
import Systemd

extension PowerSettings {
  /// What an earlier daemon with these settings may have turned off; `nil`: nothing.
  var possiblyStopped: StoppedReceiver? {
    switch self.rung {
    case .watch: nil
    case .ublox, .mtk: StoppedReceiver(rung: self.rung)
    case .unit: self.onUnit.map { StoppedReceiver(rung: .unit, unit: $0, offUnit: self.offUnit) }
    }
  }
}

extension ReceiverController {
  /// The controller of a daemon with these settings.
  ///
  /// - Parameters:
  ///   - stopped: The receiver that an earlier daemon turned off and did not turn on again.
  ///   - store: Stores which receiver is turned off.
  convenience init(
    loop: EventLoop, _ settings: Settings, stopped: StoppedReceiver?,
    store: @escaping (StoppedReceiver?, _ report: @escaping (_ error: String?) -> Void) -> Void,
    emit: @escaping (ReceiverEvent) -> Void, in world: World
  ) throws(SystemError) {
    try self.init(
      loop: loop, gpsd: settings.gpsd, power: settings.power, stopped: stopped,
      silence: settings.broker.fixes.lossAfter, jitterSeed: loop.randomNumber(),
      assist: AssistSetup(settings.assist, beside: settings.store, on: world.disk, clockError: world.clockError),
      ports: Ports(
        emit: emit, store: store,
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
