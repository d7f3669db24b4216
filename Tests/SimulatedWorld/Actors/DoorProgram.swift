import Positioning
import WorldSupport

/// A program that reads positions at gpsd's door or at the one of NMEA 0183.
package final class DoorProgram {
  package let plan: ProgramPlan
  private unowned let world: World
  private let connection: ProgramConnection

  init(_ plan: ProgramPlan, in world: World) {
    self.plan = plan
    self.world = world
    self.connection = ProgramConnection(
      of: plan, to: plan.speaksGpsd ? DaemonProcess.gpsdSocket : DaemonProcess.sentenceSocket, again: .seconds(10),
      in: world)
    self.connection.onBegin = { [unowned self] in self.entered() }
    self.connection.onLine = { [unowned self] in self.received($0) }
    self.connection.onEnd = { [unowned self] in self.world.observe(.left(self)) }
  }

  package var isConnected: Bool { self.connection.isOpen }
  package var isReading: Bool { self.connection.isReading }
  /// Since when it is connected and reads.
  package var readsSince: Duration? { self.connection.readsSince }

  func begin() { self.connection.begin() }

  func end() { self.connection.end() }

  func disconnect() { self.connection.close() }

  func read(_ isReading: Bool) { self.connection.read(isReading) }

  private func entered() {
    self.world.observe(.entered(self))
    guard case .watchesAsGpsd(let polls) = self.plan.kind else { return }
    // In two pieces, as any client may.
    self.connection.send(#"?WATCH={"enable":true,"#)
    self.connection.send(#""json":true};"# + "\n")
    if polls {
      self.connection.send("?POLL;\n")
      self.pollLater()
    }
  }

  private func pollLater() {
    self.connection.later(.seconds(47)) { [unowned self] in
      self.connection.send("?POLL;\n")
      self.pollLater()
    }
  }

  private func received(_ line: String) {
    let text = line.hasSuffix("\r") ? String(line.dropLast()) : line
    guard self.plan.speaksGpsd else { return self.world.observe(.sentence(self, text)) }
    self.world.observe(.report(self, JSON(text) ?? .string(text)))
  }
}

extension ProgramPlan {
  fileprivate var speaksGpsd: Bool { if case .watchesAsGpsd = self.kind { true } else { false } }
}
