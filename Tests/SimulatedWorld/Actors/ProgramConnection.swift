import EventLoop
import Positioning
import WorldSupport

/// A program's connection to one of the daemon's sockets. While the program runs, it connects again whenever its connection
/// ends.
final class ProgramConnection {
  private unowned let world: World
  private let (plan, socket): (ProgramPlan, String)
  /// Between two attempts.
  private let pause: Duration
  private var peer: MemoryPeer?
  /// Counts connections, so that what was meant for an earlier one is not done.
  private var number = 0
  private(set) var isRunning = false
  /// Whether it reads what the daemon sends.
  private(set) var isReading = true
  /// Since when it is connected and reads.
  private(set) var readsSince: Duration?

  var onBegin: () -> Void = {}
  var onLine: (String) -> Void = { _ in }
  var onEnd: () -> Void = {}

  init(of plan: ProgramPlan, to socket: String, again pause: Duration, in world: World) {
    (self.plan, self.socket, self.pause, self.world) = (plan, socket, pause, world)
  }

  var isOpen: Bool { self.peer != nil }

  /// The program begins to run.
  func begin() {
    self.isRunning = true
    self.connect()
  }

  /// The program ends.
  func end() {
    self.isRunning = false
    self.close()
  }

  /// The connection ends: the program is killed, or the machine has lost its power.
  func close() {
    self.peer?.close()
    self.ended()
  }

  func read(_ isReading: Bool) {
    self.isReading = isReading
    self.readsSince = isReading && self.isOpen ? self.world.elapsed : nil
    self.peer?.isReading = isReading
  }

  func send(_ text: String) { self.peer?.send(text) }

  /// It says nothing more, and still reads.
  func endSending() { self.peer?.endSending() }

  /// Does something later, if this connection is still open then.
  func later(_ delay: Duration, _ work: @escaping () -> Void) {
    let number = self.number
    self.world.machine.after(delay) { [weak self] in
      guard let self, self.number == number, self.isOpen else { return }
      work()
    }
  }

  private func connect() {
    guard self.isRunning, self.peer == nil else { return }
    let uid = self.plan.number ?? self.plan.relay ?? self.plan.uid
    let principal = Principal(uid: uid, gid: uid, pid: 4242, groups: [uid])
    guard let peer = try? self.world.machine.connect(to: .path(self.socket), as: principal) else {
      return self.connectLater()
    }
    peer.keepsReceived = false
    peer.isReading = self.isReading
    peer.onLine = { [unowned self] in self.onLine($0) }
    peer.onEnd = { [unowned self] in self.close() }
    self.peer = peer
    self.number += 1
    self.readsSince = self.isReading ? self.world.elapsed : nil
    self.onBegin()
  }

  private func ended() {
    guard self.peer != nil else { return }
    self.peer = nil
    self.readsSince = nil
    self.onEnd()
    self.connectLater()
  }

  private func connectLater() {
    self.world.machine.after(self.pause) { [weak self] in self?.connect() }
  }
}
