package import Positioning
package import Systemd

/// GeoClue's objects for the programs on the bus: who has which, and what each call means.
///
/// It decides nothing about permission: every client object that is started has a connection to the daemon that asks for
/// its program's user.
package struct GeoClueService {
  package typealias ClientNumber = UInt64
  package typealias CallNumber = UInt64

  /// A call of a program on the bus.
  package struct Call: Hashable, Sendable {
    package let number: CallNumber
    /// The caller's own name on the bus.
    package let sender: String
    package let path: String
    /// Empty: the caller did not say.
    package let interface: String
    package let member: String
    /// `nil`: some have types that are not read (`BusValue`).
    package let arguments: [BusValue]?

  }

  package enum Action: Hashable, Sendable {
    case reply(CallNumber, [BusValue])
    case fail(CallNumber, BusError)
    /// Report when this program leaves the bus, and which user runs it; in this order.
    case identify(String)
    /// The program has neither clients nor waiting calls.
    case forget(String)
    /// Ask the daemon whether this user's program may know, and a person if that is not decided.
    case authorize(ClientNumber, uid: UInt32, desktopID: String, Precision)
    /// Deliver locations, from now on by this need.
    case follow(ClientNumber, LocationNeed)
    /// The client needs nothing of the daemon any more.
    case release(ClientNumber)
    /// Report what accuracy is available.
    case assess
    case signal(path: String, interface: String, member: String, [BusValue], to: String?)
  }

  /// The answer to `authorize`.
  package enum Decision: Hashable, Sendable {
    case granted
    /// Why not, and who can change that; for people.
    case denied(String)
    /// The daemon could not be asked.
    case unreachable(String)
  }

  /// How many client objects the programs of one user may have, and those of all users.
  package static let maxClientsPerUser = 64
  package static let maxClients = 512
  /// How many calls of one kind of one program may wait for the bus or the daemon.
  package static let maxWaitingCalls = 16
  /// How many calls of all programs may wait for what accuracy is available.
  package static let maxAssessments = 512
  /// In bytes, as of a file's name.
  package static let longestDesktopID = 255

  package static let root = "/org/freedesktop/GeoClue2"
  /// The paths of objects are shorter, in bytes.
  private static let longestPath = 255
  package static let managerPath = "\(Self.root)/Manager"

  private struct Caller {
    /// `nil`: not known yet.
    var uid: UInt32?
    /// The number with which its clients are counted: one for all subordinate numbers of a user.
    var countedAs: UInt32?
    var waiting: [(call: CallNumber, createsAlways: Bool)] = []
    var clients: [ClientNumber] = []
    /// The one that GetClient returns.
    var first: ClientNumber?
  }

  private var callers: [String: Caller] = [:]
  private var clients: [ClientNumber: ClientObject] = [:]
  private var lastClient: ClientNumber = 0
  /// Calls that wait for what accuracy is available, alone or with all properties.
  private var assessments: [(call: CallNumber, sender: String, isAll: Bool)] = []
  private var wasInUse = false

  package init() {}

  /// Whether any program gets locations.
  private var isInUse: Bool { self.clients.values.contains { $0.isActive } }

  // MARK: Events

  /// A program calls. Each call is answered exactly once, now or later.
  package mutating func called(_ call: Call) -> [Action] {
    var actions: [Action] = []
    do throws(BusError) {
      try self.perform(call, &actions)
    } catch {
      actions.append(.fail(call.number, error))
    }
    self.noteUse(&actions)
    return actions
  }

  /// The user of a program that was to be identified; `nil`: it has left the bus, or the bus does not say.
  ///
  /// - Parameter countedAs: The number with which its clients are counted; `nil`: the user's.
  package mutating func identified(
    _ sender: String, as uid: UInt32?, countedAs: UInt32? = nil
  ) -> [Action] {
    guard var caller = self.callers[sender], caller.uid == nil else { return [] }
    let waiting = caller.waiting
    caller.waiting = []
    caller.uid = uid
    caller.countedAs = countedAs ?? uid
    self.callers[sender] = caller
    var actions: [Action] = []
    for (call, createsAlways) in waiting {
      do throws(BusError) {
        guard uid != nil else { throw BusError(.accessDenied, "the bus does not say which user this program has") }
        actions.append(.reply(call, [.objectPath(try self.client(of: sender, createsAlways: createsAlways))]))
      } catch {
        actions.append(.fail(call, error))
      }
    }
    self.forgetIfEmpty(sender, &actions)
    return actions
  }

  /// A program has left the bus: its clients end.
  package mutating func vanished(_ sender: String) -> [Action] {
    guard let caller = self.callers.removeValue(forKey: sender) else { return [] }
    var actions: [Action] = caller.waiting.map { .fail($0.call, BusError(.failed, "the program has left")) }
    for number in caller.clients { self.remove(number, &actions) }
    actions.append(.forget(sender))
    self.noteUse(&actions)
    return actions
  }

  /// The daemon's answer for a client that starts.
  package mutating func decided(_ number: ClientNumber, _ decision: Decision) -> [Action] {
    self.update(number) { $0.decided(decision) }
  }

  /// The daemon has delivered a fix for a client.
  package mutating func located(_ number: ClientNumber, _ location: Location) -> [Action] {
    self.update(number) { $0.located(location) }
  }

  /// What a client's program may know from now on; `nil`: nothing.
  package mutating func permitted(_ number: ClientNumber, _ precision: Precision?) -> [Action] {
    self.update(number) { $0.permitted(precision) }
  }

  /// Permission was taken from an active client, or given back.
  package mutating func suspended(_ number: ClientNumber, _ isSuspended: Bool) -> [Action] {
    self.update(number) { $0.suspended(isSuspended) }
  }

  /// The daemon delivers nothing more to a client.
  package mutating func ended(_ number: ClientNumber) -> [Action] {
    self.update(number) { $0.ended() }
  }

  /// The answer to `assess`.
  package mutating func assessed(_ level: RequestedLevel) -> [Action] {
    let waiting = self.assessments
    self.assessments = []
    return waiting.map { call, _, isAll in
      let value = BusValue.uint32(level.rawValue)
      guard isAll else { return .reply(call, [.variant(value)]) }
      return .reply(call, [.properties(["InUse": .boolean(self.isInUse), "AvailableAccuracyLevel": value])])
    }
  }

  /// An event of a client; of one that is gone it means nothing.
  private mutating func update(_ number: ClientNumber, _ event: (inout ClientObject) -> [Action]) -> [Action] {
    guard var client = self.clients[number] else { return [] }
    var actions = event(&client)
    self.clients[number] = client
    self.noteUse(&actions)
    return actions
  }

  private mutating func noteUse(_ actions: inout [Action]) {
    guard self.isInUse != self.wasInUse else { return }
    self.wasInUse = self.isInUse
    actions.append(
      .changed(Self.managerPath, .manager, ["InUse": .boolean(self.isInUse)], to: nil))
  }

  // MARK: Calls

  private mutating func perform(_ call: Call, _ actions: inout [Action]) throws(BusError) {
    let object = try self.object(at: call.path, for: call.sender)
    let offered = object.interfaces
    let named = offered.filter { call.interface.isEmpty || $0.name == call.interface }
    guard !named.isEmpty else {
      throw BusError(.unknownInterface, "there is no interface \(call.interface) at \(call.path)")
    }
    guard let (interface, method) = named.lazy.compactMap({ i in i.method(call.member).map { (i, $0) } }).first else {
      throw BusError(.unknownMethod, "there is no method \(call.member) at \(call.path)")
    }
    guard let arguments = call.arguments, arguments.map(\.signature) == method.takes.map(\.type) else {
      let limit = call.arguments == nil ? ", and no text longer than \(BusValue.longestText) bytes" : ""
      throw BusError(.invalidArgs, "\(method.name) takes (\(method.takes.map(\.type).joined()))\(limit)")
    }
    switch interface {
    case .properties: try self.access(object, method.name, arguments, call, &actions)
    case .introspectable: actions.append(.reply(call.number, [.string(Interface.document(offered))]))
    case .manager: try self.manage(method.name, arguments, call, &actions)
    default:
      guard case .client(let number) = object, var client = self.clients[number] else {
        throw BusError(.unknownMethod, "there is no method \(call.member) at \(call.path)")
      }
      if method.name == "Start" {
        actions += try client.start(call.number)
      } else {
        actions += client.stop(call.number)
      }
      self.clients[number] = client
    }
  }

  private enum Object {
    /// A level of the path above the others, which has nothing but introspection.
    case folder
    case manager
    case client(ClientNumber)
    case location(ClientNumber, Location)

    var interfaces: [Interface] {
      switch self {
      case .folder: [.introspectable]
      case .manager: [.manager, .properties, .introspectable]
      case .client: [.client, .properties, .introspectable]
      case .location: [.location, .properties, .introspectable]
      }
    }
  }

  /// A client's objects are for its own program alone.
  private func object(at path: String, for sender: String) throws(BusError) -> Object {
    if path == Self.managerPath { return .manager }
    if path == Self.root || path == "\(Self.root)/Client" { return .folder }
    let missing = BusError(.unknownObject, "there is no such object")
    guard path.utf8.count <= Self.longestPath, path.hasPrefix("\(Self.root)/Client/") else { throw missing }
    let parts = path.dropFirst("\(Self.root)/Client/".count).split(separator: "/", omittingEmptySubsequences: false)
    guard let number = parts.first.flatMap({ ClientNumber($0) }), let client = self.clients[number] else {
      throw missing
    }
    guard client.owner == sender else { throw BusError(.accessDenied, "\(path) belongs to another program") }
    if parts.count == 1, path == client.path { return .client(number) }
    guard let location = client.location(at: path) else { throw missing }
    return .location(number, location)
  }

  private mutating func manage(
    _ method: String, _ arguments: [BusValue], _ call: Call, _ actions: inout [Action]
  ) throws(BusError) {
    switch method {
    case "GetClient", "CreateClient":
      let createsAlways = method == "CreateClient"
      var caller = self.callers[call.sender] ?? Caller()
      if caller.uid != nil {
        let path = try self.client(of: call.sender, createsAlways: createsAlways)
        return actions.append(.reply(call.number, [.objectPath(path)]))
      }
      guard caller.waiting.count < Self.maxWaitingCalls else {
        throw BusError(.limitsExceeded, "too many calls of this program wait")
      }
      if caller.waiting.isEmpty { actions.append(.identify(call.sender)) }
      caller.waiting.append((call.number, createsAlways))
      self.callers[call.sender] = caller
    case "DeleteClient":
      guard case .objectPath(let path)? = arguments.first,
        case .client(let number) = try self.object(at: path, for: call.sender)
      else { throw BusError(.invalidArgs, "that is no client") }
      self.remove(number, &actions)
      self.callers[call.sender]?.clients.removeAll { $0 == number }
      if self.callers[call.sender]?.first == number { self.callers[call.sender]?.first = nil }
      actions.append(.reply(call.number, []))
      self.forgetIfEmpty(call.sender, &actions)
    default:
      // An agent that is never asked must not believe that it is registered.
      throw BusError(
        .notSupported, "positiond asks its own agents and knows no agents of GeoClue; see positiond-geoclue(8)")
    }
  }

  /// The path of a new client, or of the program's first.
  private mutating func client(of sender: String, createsAlways: Bool) throws(BusError) -> String {
    guard var caller = self.callers[sender], let uid = caller.uid, let countedAs = caller.countedAs else {
      throw BusError(.failed, "the program has left")
    }
    if !createsAlways, let first = caller.first, let client = self.clients[first] { return client.path }
    guard self.clients.values.count(where: { $0.countedAs == countedAs }) < Self.maxClientsPerUser,
      self.clients.count < Self.maxClients
    else { throw BusError(.limitsExceeded, "the programs of this user have too many clients") }
    self.lastClient += 1
    let client = ClientObject(number: self.lastClient, owner: sender, uid: uid, countedAs: countedAs)
    self.clients[client.number] = client
    caller.clients.append(client.number)
    if !createsAlways { caller.first = client.number }
    self.callers[sender] = caller
    return client.path
  }

  private mutating func remove(_ number: ClientNumber, _ actions: inout [Action]) {
    guard var client = self.clients.removeValue(forKey: number) else { return }
    actions += client.removed()
  }

  private mutating func forgetIfEmpty(_ sender: String, _ actions: inout [Action]) {
    guard let caller = self.callers[sender], caller.clients.isEmpty, caller.waiting.isEmpty else { return }
    self.callers[sender] = nil
    actions.append(.forget(sender))
  }

  // MARK: Properties

  private mutating func access(
    _ object: Object, _ method: String, _ arguments: [BusValue], _ call: Call, _ actions: inout [Action]
  ) throws(BusError) {
    guard let name = arguments.first?.text, let interface = object.interfaces.first(where: { $0.name == name }) else {
      throw BusError(.unknownInterface, "there is no such interface at \(call.path)")
    }
    if method == "GetAll" {
      if interface == .manager { return try self.assess(call, isAll: true, &actions) }
      return actions.append(.reply(call.number, [.properties(self.values(of: object, interface))]))
    }
    guard let property = arguments[1].text.flatMap({ interface.property($0) }) else {
      throw BusError(.unknownProperty, "there is no such property of \(name)")
    }
    guard method == "Set" else {
      if interface == .manager, property.name != "InUse" { return try self.assess(call, isAll: false, &actions) }
      let value = self.values(of: object, interface)[property.name] ?? .boolean(self.isInUse)
      return actions.append(.reply(call.number, [.variant(value)]))
    }
    guard property.isWritable else { throw BusError(.propertyReadOnly, "\(property.name) cannot be set") }
    guard case .variant(let value) = arguments[2], value.signature == property.type,
      case .client(let number) = object, var client = self.clients[number]
    else { throw BusError(.invalidArgs, "\(property.name) has the type \(property.type)") }
    actions += try client.set(property.name, value)
    self.clients[number] = client
    actions.append(.reply(call.number, []))
  }

  private func values(of object: Object, _ interface: Interface) -> [String: BusValue] {
    switch object {
    case .client(let number) where interface == .client: self.clients[number]?.properties ?? [:]
    case .location(_, let location) where interface == .location: location.properties
    case .folder, .manager, .client, .location: [:]
    }
  }

  private mutating func assess(_ call: Call, isAll: Bool, _ actions: inout [Action]) throws(BusError) {
    guard self.assessments.count < Self.maxAssessments,
      self.assessments.count(where: { $0.sender == call.sender }) < Self.maxWaitingCalls
    else { throw BusError(.limitsExceeded, "too many calls wait") }
    if self.assessments.isEmpty { actions.append(.assess) }
    self.assessments.append((call.number, call.sender, isAll))
  }
}

extension GeoClueService.Action {
  static func changed(
    _ path: String, _ interface: Interface, _ values: [String: BusValue], to destination: String?
  ) -> GeoClueService.Action {
    .signal(
      path: path, interface: Interface.properties.name, member: "PropertiesChanged",
      [.string(interface.name), .properties(values), .strings([])], to: destination)
  }
}
