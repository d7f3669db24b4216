import Positioning
import WorldSupport

/// Many connections of one user, which ask for nothing, leave, and come again.
final class Crowd {
  private let plan: ProgramPlan
  private let connections: [ProgramConnection]

  init(_ plan: ProgramPlan, in world: World) {
    guard case .crowds(let count, let every) = plan.kind else { preconditionFailure("this is no crowd") }
    self.plan = plan
    self.connections = (0..<count).map { number in
      let connection = ProgramConnection(
        of: plan, to: DaemonProcess.socket, again: every + .seconds(number), in: world)
      connection.onBegin = { [unowned connection, unowned world] in
        world.observe(.joined(uid: plan.uid))
        // Each for another time.
        connection.later(every * (1 + Double(number % 7))) { [unowned connection] in connection.close() }
      }
      connection.onLine = { [unowned world] line in
        if JSON(line)?["error"]?["code"]?.number == -32007 { world.observe(.refused(uid: plan.uid)) }
      }
      connection.onEnd = { [unowned world] in world.observe(.parted(uid: plan.uid)) }
      return connection
    }
  }

  func begin() { for connection in self.connections { connection.begin() } }

  func end() { for connection in self.connections { connection.end() } }

  func disconnect() { for connection in self.connections { connection.close() } }
}
