import Positioning

/// A client that is connected.
struct Client: Sendable {
  fileprivate(set) var principal: Principal
  fileprivate(set) var access: Access
  /// A person's answer that holds only for this connection.
  fileprivate(set) var decision: Decision?
  fileprivate var nextSubscription = 1

  fileprivate init(principal: Principal, access: Access) {
    self.principal = principal
    self.access = access
  }

  /// Whether it may answer prompts for the principal.
  func mayAnswer(for principal: Principal) -> Bool {
    switch self.access.agent {
    case .none: false
    case .own: self.principal.uid == principal.uid
    case .all: true
    }
  }
}

/// The clients, and what each may know.
struct ClientTable: Sendable {
  private var connected: [ClientID: Client] = [:]
  /// Clients that have left and whose queues are still being written.
  private var leaving: [ClientID: Client] = [:]
  private var users = Grouping<ClientID, UInt32>()

  var count: Int { self.connected.count }

  /// Whether nobody is connected, and no queue is left to be written.
  var isEmpty: Bool { self.connected.isEmpty && self.leaving.isEmpty }

  /// In the order in which they connected.
  var ids: [ClientID] { self.connected.keys.sorted() }

  func ids(of user: UInt32) -> [ClientID] { self.users.members(of: user) }

  subscript(id: ClientID) -> Client? { self.connected[id] }

  func contains(_ id: ClientID) -> Bool { self.connected.index(forKey: id) != nil }

  // MARK: Coming and going

  mutating func admit(_ id: ClientID, _ principal: Principal, _ access: Access) {
    self.connected[id] = Client(principal: principal, access: access)
    self.users.put(id, in: principal.uid)
  }

  mutating func introduce(_ id: ClientID, name: String?, purpose: String?) {
    self.connected[id]?.principal.name = name
    self.connected[id]?.principal.purpose = purpose
  }

  /// The client requests nothing more.
  ///
  /// - Parameter isWritten: Whether its queue is still being written.
  mutating func remove(_ id: ClientID, isWritten: Bool) -> Client? {
    let client = self.connected.removeValue(forKey: id)
    self.leaving[id] = isWritten ? client : nil
    if let client { self.users.remove(id, from: client.principal.uid) }
    return client
  }

  /// The number of the client's next subscription.
  mutating func takeSubscriptionNumber(of id: ClientID) -> Int {
    let number = self.connected[id]?.nextSubscription ?? 1
    self.connected[id]?.nextSubscription = number + 1
    return number
  }

  // MARK: What they may know

  mutating func setAccess(_ access: Access, of id: ClientID) { self.connected[id]?.access = access }

  /// Clients that have left and whose queues are still being written, in the order in which they connected.
  ///
  /// - Parameter user: Only this user's clients; `nil`: all.
  func leaving(of user: UInt32?) -> [(id: ClientID, client: Client)] {
    self.leaving.sorted { $0.key < $1.key }.filter { user == nil || user == $0.value.principal.uid }
      .map { ($0.key, $0.value) }
  }

  mutating func setAccess(_ access: Access, ofLeaving id: ClientID) { self.leaving[id]?.access = access }

  /// A person's answer for this connection only.
  mutating func decide(_ decision: Decision, of id: ClientID) { self.connected[id]?.decision = decision }

  /// A decision for the user: it replaces what a person answered for single connections.
  mutating func forgetDecisions(of user: UInt32) {
    for id in self.ids(of: user) { self.connected[id]?.decision = nil }
    for id in self.leaving.keys where self.leaving[id]?.principal.uid == user { self.leaving[id]?.decision = nil }
  }

  /// The users of connected clients, as far as they have names.
  var namedUsers: Set<UInt32> {
    Set(self.connected.values.lazy.filter { $0.principal.user != nil }.map(\.principal.uid))
  }

  /// Sets the groups that the system has for a user, and the name if its lookup had not succeeded when the clients
  /// connected. A range of subordinate numbers without an owner is no user.
  mutating func learn(_ user: String, groups: [UInt32], uid: UInt32) {
    for id in self.ids(of: uid) { self.connected[id]?.principal.learn(user, groups: groups) }
    for id in self.leaving.keys where self.leaving[id]?.principal.uid == uid {
      self.leaving[id]?.principal.learn(user, groups: groups)
    }
  }
}

extension Principal {
  fileprivate mutating func learn(_ user: String, groups: [UInt32]) {
    guard self.user != nil || self.subordinate == nil else { return }
    self.user = self.user ?? user
    self.accountGroups = groups
  }
}
