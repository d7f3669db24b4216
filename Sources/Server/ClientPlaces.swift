import Broker
import JSONRPC
import Positioning

/// All clients, by number and by user: who has a place, and who makes room for others.
///
/// There are limits for each user and for all. If all places are taken, an idle client without a grant must leave; else
/// one of the user who has the most places, so that no user's clients keep another user out. Some additional places are
/// reserved for root and the administrators, so that nobody can shut them out.
final class ClientPlaces {
  /// The limit by which a client gets no place.
  struct Limit {
    let key: String
    let value: Int
  }

  enum Place {
    case taken
    /// The user has as many places as it may have.
    case refused(Limit)
    /// No place is left for anybody.
    case none
  }

  /// The clients that are served.
  private(set) var connections: [ClientID: Connection] = [:]
  /// Clients that were sent the reason for being closed, and have not taken it yet.
  private var leaving: [ClientID: Connection] = [:]
  private var accounts: [UInt32: UserAccount] = [:]
  /// How many places are taken in all.
  private var taken = 0
  /// Clients without a grant, which may have to make room.
  private var idle = IdleQueue()
  private let facts: ServerFacts

  init(_ facts: ServerFacts) { self.facts = facts }

  private var limits: ServerLimits { self.facts.daemon.limits }

  /// Whether nobody is connected, being accepted, or still being written to.
  var isEmpty: Bool { self.taken == 0 }

  /// Whether nobody is connected, or still being written to.
  var areAllGone: Bool { self.connections.isEmpty && self.leaving.isEmpty }

  /// The client, even while it is being closed.
  func any(_ client: ClientID) -> Connection? { self.connections[client] ?? self.leaving[client] }

  /// What the user's clients use together.
  ///
  /// - Precondition: One of them has a place.
  func account(of principal: Principal) -> UserAccount {
    guard let account = self.accounts[principal.uid] else { preconditionFailure("a client without a place came in") }
    return account
  }

  /// The user's clients, including those that are being closed.
  func connections(of uid: UInt32) -> some Sequence<Connection> { (self.accounts[uid]?.connections ?? [:]).values }

  /// The bytes that wait for all clients together.
  var outboundBytes: Int { self.accounts.values.reduce(0) { $0 + $1.outboundBytes } }

  // MARK: A client's life

  func began(_ connection: Connection) {
    self.connections[connection.client] = connection
    connection.account.connections[connection.client] = connection
  }

  /// The client has sent something, or its permission has changed.
  func heard(_ connection: Connection, now: @autoclosure () -> Instant) {
    if connection.isGranted {
      self.idle.remove(connection.client)
    } else {
      self.idle.heard(connection.client, now: now())
    }
  }

  /// The client requests nothing more, and its queue is written.
  func left(_ connection: Connection) {
    self.connections[connection.client] = nil
    self.idle.remove(connection.client)
    self.leaving[connection.client] = connection
  }

  func ended(_ connection: Connection) {
    self.leaving[connection.client] = nil
    connection.account.connections[connection.client] = nil
    self.giveBack(connection.principal)
  }

  // MARK: Places

  var allPlaces: Limit { Limit(key: "max-clients", value: self.limits.maxClients) }

  private var placesOfUser: Limit { Limit(key: "max-clients-per-user", value: self.limits.maxClientsPerUser) }

  private func taken(by uid: UInt32) -> Int { self.accounts[uid]?.clients ?? 0 }

  private func mayHaveMore(_ principal: Principal) -> Bool {
    self.taken(by: principal.uid) < self.limits.maxClientsPerUser
  }

  /// Takes a place for a client that is being accepted. A client that is being closed counts until it is gone, because
  /// it has a descriptor and a queue.
  func take(for principal: Principal) -> Place {
    guard self.mayHaveMore(principal) else { return .refused(self.placesOfUser) }
    guard self.taken < self.limits.maxClients else { return .none }
    self.count(principal)
    return .taken
  }

  /// The client's place becomes one of the user to whom it turns out to belong.
  ///
  /// - Returns: The limit, if that user has as many places as it may have. Then the place is given back.
  func move(from unnamed: Principal, to principal: Principal) -> Limit? {
    guard unnamed.uid != principal.uid else { return nil }
    self.giveBack(unnamed)
    guard self.mayHaveMore(principal) else { return self.placesOfUser }
    self.count(principal)
    return nil
  }

  /// Takes a place although all are taken: that of another client, or a reserved one.
  ///
  /// - Returns: The limit, if there is none.
  func takeAnothers(for principal: Principal, now: Instant) -> Limit? {
    guard self.mayHaveMore(principal) else { return self.placesOfUser }
    let access = self.facts.access?(principal)
    let isAdministrator = access?.isAdministrator == true
    let isGranted = access?.feed != nil || isAdministrator
    // The longest waiting client may have gone meanwhile.
    let hasRoom =
      self.taken < self.limits.maxClients || self.makeRoom(isGranted: isGranted, now: now)
      || self.makeRoomByLargest(for: principal)
      || isAdministrator && self.taken < self.limits.maxClients + ServerLimits.keptPlaces
    guard hasRoom else { return self.allPlaces }
    self.count(principal)
    return nil
  }

  func giveBack(_ principal: Principal) {
    self.taken -= 1
    guard let account = self.accounts[principal.uid] else { return }
    account.clients -= 1
    if account.clients == 0 { self.accounts[principal.uid] = nil }
  }

  @discardableResult
  private func count(_ principal: Principal) -> UserAccount {
    self.taken += 1
    let account = self.accounts[principal.uid] ?? UserAccount()
    self.accounts[principal.uid] = account
    account.clients += 1
    return account
  }

  /// Gives a relay's connection to the user for whom it asks: from now on it takes a place of that user.
  ///
  /// - Throws: If that user has as many clients as it may have.
  func hand(_ connection: Connection, to principal: Principal) throws(RPCError) {
    guard self.mayHaveMore(principal) else {
      throw .limitExceeded(limit: self.placesOfUser.key, value: self.placesOfUser.value)
    }
    let former = connection.principal
    connection.speak(for: principal, of: self.count(principal))
    self.giveBack(former)
  }

  // MARK: Who makes room

  /// Closes the client that has idled for the longest: at once for a client with a grant; for others only if it has
  /// idled for a while, since they would take each other's places for ever.
  private func makeRoom(isGranted: Bool, now: Instant) -> Bool {
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
      return self.taken < self.limits.maxClients
    }
    return false
  }

  /// Closes a client of the user who has the most places, active or not, if that user still has no fewer than the new
  /// client's. So the places become even, and no two users take each other's for ever. Of that user's clients one that is
  /// closing already leaves first, then one without a grant, then the newest.
  private func makeRoomByLargest(for principal: Principal) -> Bool {
    let fewest = self.taken(by: principal.uid) + 2
    let users = self.accounts.filter { $0.key != 0 && $0.value.clients >= fewest }
      .sorted { ($0.value.clients, $0.key) > ($1.value.clients, $1.key) }
    for (_, account) in users {
      let dispensable = account.connections.values.filter { !$0.isOpen || self.isDispensable($0.principal) }
      let last = dispensable.max { self.staysLess($1, than: $0) }
      guard let last else { continue }
      last.makeRoom()
      return self.taken < self.limits.maxClients
    }
    return false
  }

  private func staysLess(_ left: Connection, than right: Connection) -> Bool {
    if left.isOpen != right.isOpen { return !left.isOpen }
    if left.isGranted != right.isGranted { return !left.isGranted }
    return left.client > right.client
  }

  /// Administrators and agents do their part without a grant of positions.
  private func isDispensable(_ principal: Principal) -> Bool {
    guard let access = self.facts.access?(principal) else { return true }
    return !access.isAdministrator && access.agent == .none
  }
}

/// What the clients of one user use together. Each of its connections has it, and counts on it what waits.
final class UserAccount {
  /// The places of open connections, of those being closed, and of clients that are not yet accepted.
  var clients = 0
  /// Includes connections that are being closed.
  var connections: [ClientID: Connection] = [:]
  /// Bytes that wait to be written to them.
  var outboundBytes = 0
}
