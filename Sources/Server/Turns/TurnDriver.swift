import Broker
import EventLoop
import Positioning

/// Runs the connections' work in short turns. Between two of them the loop serves everything else that is ready, such
/// as gpsd and the watchdog.
///
/// If no other connection waits, one that becomes ready is served at once, within the loop's callback. This may take
/// one slice in all; further ones wait in line.
///
/// `@unchecked Sendable`: it lives on the loop's thread.
final class TurnDriver: @unchecked Sendable {
  private let loop: EventLoop
  private let work: (ClientID, _ deadline: Instant) -> Void
  private var scheduler = TurnScheduler()
  private var isArmed = false
  /// How long connections were served at once since the last turn.
  private var atOnce: Duration = .zero
  private var isAtWork = false

  /// - Parameter work: Lets the connection work until the deadline; one that has more to do is added again.
  init(loop: EventLoop, work: @escaping (ClientID, _ deadline: Instant) -> Void) {
    self.loop = loop
    self.work = work
  }

  /// The connection has something to do, and is in no line.
  func add(_ client: ClientID, of user: UInt32, isGranted: Bool) {
    self.scheduler.add(client, of: user, isGranted: isGranted)
    if !self.isAtWork { self.arm() }
  }

  /// The same for a connection that the loop has just found ready.
  func serve(_ client: ClientID, of user: UInt32, isGranted: Bool) {
    guard self.scheduler.isEmpty, !self.isAtWork, self.atOnce < TurnScheduler.slice else {
      return self.add(client, of: user, isGranted: isGranted)
    }
    self.atOnce += self.run(client, for: TurnScheduler.slice)
    if !self.scheduler.isEmpty { self.arm() }
  }

  private func turn() {
    self.isArmed = false
    self.atOnce = .zero
    if let first = self.scheduler.next() { _ = self.run(first, for: TurnScheduler.budget) }
    if !self.scheduler.isEmpty { self.arm() }
  }

  /// - Returns: How long that took.
  private func run(_ first: ClientID, for budget: Duration) -> Duration {
    let began = self.loop.readClock()
    var now = began
    self.isAtWork = true
    defer { self.isAtWork = false }
    var next: ClientID? = first
    while let client = next {
      self.work(client, min(began + budget, now + TurnScheduler.slice))
      now = self.loop.readClock()
      next = now - began < budget ? self.scheduler.next() : nil
    }
    return now - began
  }

  private func arm() {
    guard !self.isArmed else { return }
    self.isArmed = true
    self.loop.call { [weak self] in self?.turn() }
  }
}
