import Broker
import EventLoop
import JSONRPC
import PositionProtocol
import Positioning

/// Which clients have a place, and which make room for others.
///
/// There are limits for each user and for all. If all places are taken, an idle client without a grant must leave; else
/// one of the user who has the most places, so that no user's clients keep another user out. Some additional places are
/// reserved for root and the administrators, so that nobody can shut them out.
extension PositionServer {
  /// The limit by which a client gets no place.
  struct PlaceLimit {
    let key: String
    let value: Int
  }

  enum Place {
    case taken
    /// The user has as many places as it may have.
    case refused(PlaceLimit)
    /// No place is left for anybody.
    case none
  }

  private var placesOfUser: PlaceLimit {
    PlaceLimit(key: "max-clients-per-user", value: self.limits.maxClientsPerUser)
  }

  var allPlaces: PlaceLimit { PlaceLimit(key: "max-clients", value: self.limits.maxClients) }

  private func placesTaken(by uid: UInt32) -> Int { self.accounts[uid]?.clients ?? 0 }

  /// Takes a place for a client that is being accepted. A client that is being closed counts until it is gone, because
  /// it has a descriptor and a queue.
  func takePlace(for principal: Principal) -> Place {
    guard self.placesTaken(by: principal.uid) < self.limits.maxClientsPerUser else {
      return .refused(self.placesOfUser)
    }
    guard self.places < self.limits.maxClients else { return .none }
    self.countPlace(of: principal)
    return .taken
  }

  /// The client's place becomes one of the user to whom it turns out to belong.
  ///
  /// - Returns: The limit, if that user has as many places as it may have. Then the place is given back.
  func movePlace(from unnamed: Principal, to principal: Principal) -> PlaceLimit? {
    guard unnamed.uid != principal.uid else { return nil }
    self.givePlaceBack(of: unnamed)
    guard self.placesTaken(by: principal.uid) < self.limits.maxClientsPerUser else { return self.placesOfUser }
    self.countPlace(of: principal)
    return nil
  }

  /// Takes a place although all are taken: that of another client, or a reserved one.
  ///
  /// - Returns: The limit, if there is none.
  func takePlaceOfAnother(for principal: Principal) -> PlaceLimit? {
    guard self.placesTaken(by: principal.uid) < self.limits.maxClientsPerUser else { return self.placesOfUser }
    let access = self.access?(principal)
    let isAdministrator = access?.isAdministrator == true
    let isGranted = access?.feed != nil || isAdministrator
    // The longest waiting client may have gone meanwhile.
    let hasRoom =
      self.places < self.limits.maxClients || self.makeRoom(isGranted: isGranted)
      || self.makeRoomByLargest(for: principal)
      || isAdministrator && self.places < self.limits.maxClients + ServerLimits.keptPlaces
    guard hasRoom else { return self.allPlaces }
    self.countPlace(of: principal)
    return nil
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
    guard self.placesTaken(by: principal.uid) < self.limits.maxClientsPerUser else {
      throw .limitExceeded(limit: self.placesOfUser.key, value: self.placesOfUser.value)
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

  /// Closes a client of the user who has the most places, active or not, if that user still has no fewer than the new
  /// client's. So the places become even, and no two users take each other's for ever. Of that user's clients one that is
  /// closing already leaves first, then one without a grant, then the newest.
  private func makeRoomByLargest(for principal: Principal) -> Bool {
    let fewest = self.placesTaken(by: principal.uid) + 2
    let users = self.accounts.filter { $0.key != 0 && $0.value.clients >= fewest }
      .sorted { ($0.value.clients, $0.key) > ($1.value.clients, $1.key) }
    for (_, account) in users {
      let dispensable = account.connections.values.filter { !$0.isOpen || self.isDispensable($0.principal) }
      let last = dispensable.max { self.staysLess($1, than: $0) }
      guard let last else { continue }
      last.makeRoom()
      return self.places < self.limits.maxClients
    }
    return false
  }

  private func staysLess(_ left: Connection, than right: Connection) -> Bool {
    if left.isOpen != right.isOpen { return !left.isOpen }
    let (isLeftGranted, isRightGranted) = (left.limit.precision != nil, right.limit.precision != nil)
    if isLeftGranted != isRightGranted { return !isLeftGranted }
    return left.client > right.client
  }

  /// Administrators and agents do their part without a grant of positions.
  private func isDispensable(_ principal: Principal) -> Bool {
    guard let access = self.access?(principal) else { return true }
    return !access.isAdministrator && access.agent == .none
  }
}
