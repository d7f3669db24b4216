import Positioning
import WorldSupport

/// A program that makes mistakes, as many at a time as it likes, and knows what each should be answered with.
package final class Liar {
  package let plan: ProgramPlan
  private let burst: Int
  private let pause: Duration
  private unowned let world: World
  private let connection: ProgramConnection
  private var random: SeededRandom
  private var id = 0
  /// What is not answered yet, the oldest first.
  private var made: [(mistake: Mistake, id: Int)] = []

  init(_ plan: ProgramPlan, in world: World) {
    guard case .lies(let burst, let pause) = plan.kind else { preconditionFailure("this is no liar") }
    (self.plan, self.burst, self.pause, self.world) = (plan, burst, pause, world)
    self.random = SeededRandom(seed: world.script.seed &+ UInt64(plan.uid))
    self.connection = ProgramConnection(of: plan, to: DaemonProcess.socket, again: .seconds(5), in: world)
    self.connection.onBegin = { [unowned self] in
      self.world.observe(.joined(uid: plan.uid))
      self.lie()
    }
    self.connection.onLine = { [unowned self] in self.received($0) }
    self.connection.onEnd = { [unowned self] in
      self.made = []
      self.world.observe(.parted(uid: plan.uid))
    }
  }

  func begin() { self.connection.begin() }

  func end() { self.connection.end() }

  func disconnect() { self.connection.close() }

  /// Says all at once, and again when it is answered.
  private func lie() {
    for _ in 0..<self.burst {
      let mistake = Mistake.allCases[Int.random(in: Mistake.allCases.indices, using: &self.random)]
      guard !mistake.endsConnection || Int.random(in: 0..<8, using: &self.random) == 0 else { continue }
      self.id += 1
      self.made.append((mistake, self.id))
      self.connection.send(mistake.text(id: self.id) + "\n")
      if mistake.endsConnection { return }
    }
    self.connection.later(self.pause) { [unowned self] in self.lie() }
  }

  private func received(_ line: String) {
    guard let message = JSON(line), message["method"] == nil else { return }
    // It is not let in.
    if message["id"] == .null, message["error"]?["code"]?.number == -32007, self.made.first?.mistake != .fullBatch {
      return self.world.observe(.refused(uid: self.plan.uid))
    }
    guard !self.made.isEmpty else {
      return self.world.observe(.mistaken(self, nil, id: 0, message))
    }
    let (mistake, id) = self.made.removeFirst()
    self.world.observe(.mistaken(self, mistake, id: id, message))
  }
}
