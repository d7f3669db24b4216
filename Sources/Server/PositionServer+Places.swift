import Broker
import EventLoop
import JSONRPC
import PositionProtocol
import Positioning

/// Which clients have a place, and which make room for others.
///
/// There are limits for each user and for all. If all places are taken, an idle client without a grant must leave.
/// Some additional places are reserved for root and the administrators, so that nobody can shut them out.
extension PositionServer {
  enum Place {
    case taken
    /// The user has as many places as it may have.
    case refused(limit: String, value: Int)
    /// No place is left for anybody.
    case none
  }

  /// Takes a place for a client that is being accepted. A client that is being closed counts until it is gone, because
  /// it has a descriptor and a queue.
  func takePlace(for principal: Principal) -> Place {
    if let account = self.accounts[principal.uid], account.clients >= self.limits.maxClientsPerUser {
      return .refused(limit: "max-clients-per-user", value: self.limits.maxClientsPerUser)
    }
    guard self.places < self.limits.maxClients else { return .none }
    self.countPlace(of: principal)
    return .taken
  }

  /// Takes a place although all are taken: that of an idle client, or a reserved one.
  func takePlaceOfAnother(for principal: Principal) -> Bool {
    let access = self.access?(principal)
    let isGranted = access?.feed != nil || access?.isAdministrator == true
    // The longest waiting client may have gone meanwhile.
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
    self.places -= 1
    guard let account = self.accounts[principal.uid] else { return }
    account.clients -= 1
    if account.clients == 0 { self.accounts[principal.uid] = nil }
  }

  @discardableResult
  private func countPlace(of principal: Principal) -> UserAccount {
    self.places += 1
    let account = self.accounts[principal.uid] ?? UserAccount()
    self.accounts[principal.uid] = account
    account.clients += 1
    return account
  }

  /// Gives a relay's connection to the user for whom it asks: from now on it takes a place of that user.
  ///
  /// - Throws: If that user has as many clients as it may have.
  func hand(_ connection: Connection, to principal: Principal) throws(RPCError) {
    let limit = self.limits.maxClientsPerUser
    guard self.accounts[principal.uid]?.clients ?? 0 < limit else {
      throw .limitExceeded(limit: "max-clients-per-user", value: limit)
    }
    let former = connection.principal
    connection.speak(for: principal, of: self.countPlace(of: principal))
    self.givePlaceBack(of: former)
  }

  /// The client has sent something, or its permission has changed.
  func heard(_ connection: Connection) {
    if connection.limit.precision == nil {
      self.idle.heard(connection.client, now: self.loop.now)
    } else {
      self.idle.remove(connection.client)
    }
  }

  /// Closes the client that has idled for the longest: at once for a client with a grant; for others only if it has
  /// idled for a while, since they would take each other's places for ever.
  private func makeRoom(isGranted: Bool) -> Bool {
    let now = self.loop.now
    // Only a few are checked. A client that must not make room goes to the end.
    for _ in 0..<8 {
      guard let (client, since) = self.idle.first, isGranted || now - since >= ServerLimits.idleTime else {
        return false
      }
      guard let connection = self.connections[client], connection.openCalls == 0,
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

  /// Administrators and agents do their part without a grant of positions.
  private func isDispensable(_ principal: Principal) -> Bool {
    guard let access = self.access?(principal) else { return true }
    return !access.isAdministrator && access.agent == .none
  }
}
