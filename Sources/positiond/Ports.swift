import Broker
import EventLoop
import Receiver
import Server
import Systemd

/// Carries out what the broker decides.
///
/// `@unchecked Sendable`: the parts are set once while the daemon is put together, and the broker, which runs on the
/// loop's thread, is the only caller.
final class Ports: BrokerPorts, @unchecked Sendable {
  private struct Parts {
    let server: PositionServer
    let receiver: ReceiverController
    let timer: LoopTimer
  }

  private let log: Log
  private var parts: Parts?

  private var isReceiverNeeded = false

  /// What `systemctl status` shows.
  var statusLine: String {
    self.isReceiverNeeded ? "somebody needs the receiver" : "idle: nobody needs the receiver"
  }

  init(log: Log) { self.log = log }

  func connect(server: PositionServer, receiver: ReceiverController, timer: LoopTimer) {
    self.parts = Parts(server: server, receiver: receiver, timer: timer)
  }

  func perform(_ actions: [Action]) {
    guard let parts = self.parts else { preconditionFailure("the broker acted before the daemon was put together") }
    for action in actions {
      switch action {
      case .answer(let call, let answer): parts.server.answer(call, answer)
      case .notify(let client, let notification): parts.server.notify(client, notification)
      case .setReceiver(let isOn):
        parts.receiver.turn(on: isOn)
        self.isReceiverNeeded = isOn
        ServiceManager.notify(status: self.statusLine)
      case .setDeadline(let deadline?): parts.timer.arm(at: deadline)
      case .setDeadline(nil): parts.timer.disarm()
      case .tellWhenTaken(let client): parts.server.tellWhenTaken(client)
      case .store, .startUnit: break
      case .log(let level, let message): self.log.write(Log.Level(level), message)
      }
    }
    parts.server.flush()
  }
}
