import Broker
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
