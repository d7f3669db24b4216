import Broker
import EventLoop
import Positioning

/// Decides whose work is next: users take turns, and so do the connections of each user.
///
/// A connection that has something to do is in its user's line once, at the end. A user whose line was served goes
/// behind all others, so that two hundred connections of one user have no more of the loop than one connection of
/// another. Clients with a grant come before those without, who get every fourth place: many users without permission
/// together delay a client with permission by no more than that.
struct TurnScheduler {
  /// How long one turn may take. The rest continues in the next one, after everything else that is ready.
  static let budget: Duration = .milliseconds(4)
  /// How long one connection may work before the next one's turn.
  static let slice: Duration = .microseconds(500)
  /// One of so many places is for clients without a grant.
  private static let ordinaryShare = 4

  /// Users in the order in which they are served, each with its line. No line is empty.
  private struct Ring {
    private var lines = Fifo<(user: UInt32, clients: Fifo<ClientID>)>()

    var isEmpty: Bool { self.lines.isEmpty }

    mutating func add(_ client: ClientID, of user: UInt32) {
      if let place = self.lines.firstIndex(where: { $0.user == user }) {
        self.lines[place].clients.append(client)
      } else {
        self.lines.append((user, Fifo([client])))
      }
    }

    mutating func next() -> ClientID? {
      guard var line = self.lines.popFirst() else { return nil }
      let client = line.clients.popFirst()
      if !line.clients.isEmpty { self.lines.append(line) }
      return client
    }
  }

  private var granted = Ring()
  private var others = Ring()
  private var served = 0

  var isEmpty: Bool { self.granted.isEmpty && self.others.isEmpty }

  /// - Precondition: It is in no line yet.
  mutating func add(_ client: ClientID, of user: UInt32, isGranted: Bool) {
    if isGranted { self.granted.add(client, of: user) } else { self.others.add(client, of: user) }
  }

  /// The next connection; `nil` if none has anything to do.
  mutating func next() -> ClientID? {
    self.served += 1
    let isForOthers = self.served.isMultiple(of: Self.ordinaryShare)
    return isForOthers ? self.others.next() ?? self.granted.next() : self.granted.next() ?? self.others.next()
  }
}

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

  /// The loop has just found the connection ready: it works at once, if no other one waits.
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
