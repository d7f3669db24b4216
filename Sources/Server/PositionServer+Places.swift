import Broker
import EventLoop
import JSONRPC
import PositionProtocol
import Positioning

/// Who has a place, and who makes room for whom.
///
/// Places are for everybody, up to so many of one user and so many in all. Where all are taken a client that is granted
/// nothing and idles gives up its own; and some more are kept for root and the administrators, so that nobody can shut
/// them out.
extension PositionServer {
  enum Place {
    case taken
    /// The user has more than it may have.
    case refused(limit: String, value: Int)
    /// There is none left for anybody.
    case none
  }

  /// Takes a place for a client that is at the door. One that is being closed and does not take it counts until it is
  /// gone: it has a descriptor and a queue.
  func takePlace(for principal: Principal) -> Place {
    if let account = self.accounts[principal.uid], account.clients >= self.limits.maxClientsPerUser {
      return .refused(limit: "max-clients-per-user", value: self.limits.maxClientsPerUser)
    }
    guard self.places < self.limits.maxClients else { return .none }
    self.countPlace(of: principal)
    return .taken
  }

  /// Takes one where there was none: that of a client that can be done without, or one of those that are kept.
  func takePlaceOfAnother(for principal: Principal) -> Bool {
    let access = self.access?(principal)
    let isGranted = access?.feed != nil || access?.isAdministrator == true
    // Whoever waited longest may have gone meanwhile.
    if self.places < self.limits.maxClients || self.makeRoom(isGranted: isGranted) {
      self.countPlace(of: principal)
      return true
    }
    guard access?.isAdministrator == true, self.places < self.limits.maxClients + ServerLimits.keptPlaces else {
      return false
    }
    self.countPlace(of: principal)
    return true
  }

  func givePlaceBack(of principal: Principal) {
    let uid = principal.uid
    self.places -= 1
    self.accounts[uid]?.clients -= 1
    if self.accounts[uid]?.clients == 0 { self.accounts[uid] = nil }
  }

  private func countPlace(of principal: Principal) {
    self.places += 1
    self.accounts[principal.uid, default: UserAccount()].clients += 1
  }

  /// The client has said something, or is granted something, or nothing any more.
  func heard(_ connection: Connection) {
    if connection.limit.precision == nil {
      self.idle.heard(connection.client, now: self.loop.now)
    } else {
      self.idle.remove(connection.client)
    }
  }

  /// Has the client that has idled for the longest go: at once for one that is granted something, and for others only
  /// if it has idled for a while, since they would take each other's places for ever.
  private func makeRoom(isGranted: Bool) -> Bool {
    let now = self.loop.now
    // Few are looked at: whoever cannot be done without after all goes to the end.
    for _ in 0..<8 {
      guard let (client, since) = self.idle.first, isGranted || now - since >= ServerLimits.idleTime else {
        return false
      }
      guard let connection = self.connections[client], connection.handlers.isEmpty,
        self.isDispensable(connection.principal)
      else {
        self.idle.heard(client, now: now)
        continue
      }
      connection.makeRoom()
      return self.places < self.limits.maxClients
    }
    return false
  }

  /// Administrators and agents do their part without a position.
  private func isDispensable(_ principal: Principal) -> Bool {
    guard let access = self.access?(principal) else { return true }
    return !access.isAdministrator && access.agent == .none
  }
}
