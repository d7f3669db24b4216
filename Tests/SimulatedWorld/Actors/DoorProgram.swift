import EventLoop
import Positioning
import WorldSupport

/// A program that reads positions at gpsd's door or at the one of NMEA 0183. It connects again whenever its connection ends.
package final class DoorProgram {
  package let plan: ProgramPlan
  private unowned let world: World
  private var peer: MemoryPeer?
  private var connection = 0
  private var isRunning = false
  /// Since when it is connected and reads.
  package private(set) var readsSince: Duration?

  init(_ plan: ProgramPlan, in world: World) {
    self.plan = plan
    self.world = world
  }

  package var isConnected: Bool { self.peer != nil }
  package private(set) var isReading = true
  private var speaksGpsd: Bool { if case .watchesAsGpsd = self.plan.kind { true } else { false } }

  // MARK: Its life

  func begin() {
    self.isRunning = true
    self.connect()
  }

  func end() {
    self.isRunning = false
    self.disconnect()
  }

  func disconnect() {
    self.peer?.close()
    self.disconnected()
  }

  func read(_ isReading: Bool) {
    self.isReading = isReading
    self.readsSince = isReading && self.isConnected ? self.world.elapsed : nil
    self.peer?.isReading = isReading
  }

  private func connect() {
    guard self.isRunning, self.peer == nil else { return }
    let principal = Principal(uid: self.plan.uid, gid: self.plan.uid, pid: 4243, groups: [self.plan.uid])
    let socket = self.speaksGpsd ? DaemonProcess.gpsdSocket : DaemonProcess.sentenceSocket
    guard let peer = try? self.world.machine.connect(to: .path(socket), as: principal) else {
      return self.connectLater()
    }
    peer.keepsReceived = false
    peer.isReading = self.isReading
    peer.onLine = { [unowned self] in self.received($0) }
    peer.onEnd = { [unowned self] in
      self.peer?.close()
      self.disconnected()
    }
    self.peer = peer
    self.connection += 1
    self.readsSince = self.isReading ? self.world.elapsed : nil
    self.world.observe(.entered(self))
    guard case .watchesAsGpsd(let polls) = self.plan.kind else { return }
    // In two pieces, as any client may.
    peer.send(#"?WATCH={"enable":true,"#)
    peer.send(#""json":true};"# + "\n")
    if polls { self.poll(on: self.connection) }
  }

  private func poll(on connection: Int) {
    self.world.machine.after(.seconds(47)) { [weak self] in
      guard let self, self.connection == connection, let peer = self.peer else { return }
      peer.send("?POLL;\n")
      self.poll(on: connection)
    }
  }

  private func disconnected() {
    guard self.peer != nil else { return }
    self.peer = nil
    self.readsSince = nil
    self.world.observe(.left(self))
    self.connectLater()
  }

  private func connectLater() {
    self.world.machine.after(.seconds(10)) { [weak self] in self?.connect() }
  }

  // MARK: What it hears

  private func received(_ line: String) {
    let text = line.hasSuffix("\r") ? String(line.dropLast()) : line
    guard self.speaksGpsd else { return self.world.observe(.sentence(self, text)) }
    self.world.observe(.report(self, JSON(text) ?? .string(text)))
  }
}
