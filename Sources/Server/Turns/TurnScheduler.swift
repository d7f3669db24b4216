import Broker
import Positioning

/// Whose work is next: users take turns, and so do the connections of each.
///
/// A connection that has something to do stands in its user's line once, at the end. The user whose line is served goes
/// behind all others, so that two hundred connections of one user have no more of the loop than one connection of
/// another. Those who are granted something come before those who are granted nothing, who get every fourth place:
/// whoever owns many users' numbers and none of the permissions delays nobody who has one by more than that.
struct TurnScheduler {
  /// How long one turn may take. What is left goes on in the next one, after everything else that is ready.
  static let budget: Duration = .milliseconds(4)
  /// How long one connection may work before the next one's turn.
  static let slice: Duration = .microseconds(500)
  /// Of so many places one is for those who are granted nothing.
  private static let ordinaryShare = 4

  /// Users in the order in which they are served, each with its line.
  private struct Ring {
    private var users: ArraySlice<UInt32> = []
    private var lines: [UInt32: ArraySlice<ClientID>] = [:]

    var isEmpty: Bool { self.users.isEmpty }

    mutating func add(_ client: ClientID, of user: UInt32) {
      if self.lines[user] == nil { self.users.append(user) }
      self.lines[user, default: []].append(client)
    }

    mutating func next() -> ClientID? {
      guard let user = self.users.popFirst() else { return nil }
      let client = self.lines[user]?.popFirst()
      if self.lines[user]?.isEmpty ?? true {
        self.lines[user] = nil
      } else {
        self.users.append(user)
      }
      return client
    }
  }

  private var granted = Ring()
  private var others = Ring()
  private var served = 0

  var isEmpty: Bool { self.granted.isEmpty && self.others.isEmpty }

  /// - Precondition: it stands in no line yet.
  mutating func add(_ client: ClientID, of user: UInt32, isGranted: Bool) {
    if isGranted { self.granted.add(client, of: user) } else { self.others.add(client, of: user) }
  }

  /// Whose turn it is; `nil` where nobody has anything to do.
  mutating func next() -> ClientID? {
    self.served += 1
    let isForOthers = self.served.isMultiple(of: Self.ordinaryShare)
    return isForOthers ? self.others.next() ?? self.granted.next() : self.granted.next() ?? self.others.next()
  }
}
