import Broker
import EventLoop
import Gpsd
import JSONRPC
import Positioning

/// Accepts connections and determines who the clients are.
///
/// The kernel gives the numbers of a client at once. The lookup of the user's name may take long: meanwhile the
/// client has its place and waits, and everybody else is served. If the lookup takes too long, the client is served
/// without a name, and gets it later.
final class ConnectionAdmission {
  private let loop: EventLoop
  private let accounts: AccountService?
  private let identify: ((FileDescriptor) throws(SystemError) -> Principal)?
  private let log: (LogKind, LogMessage) -> Void
  private unowned let server: PositionServer

  private var listeners: [(any StreamListener, DescriptorWatch)] = []
  /// Armed while no client can be accepted because there is no descriptor left. Made with the first listener: it must not
  /// need a descriptor then.
  private var pause: LoopTimer?
  private var rejections = LogRateLimiter()
  /// Clients that wait for a decision whether there is a place for them.
  private var waiting = 0
  private var isClosed = false

  /// - Parameters:
  ///   - accounts: Looks up the names of users; `nil`: they have no names.
  ///   - identify: Determines who a client is; `nil`: the kernel's credentials.
  init(
    of server: PositionServer, loop: EventLoop, accounts: AccountService?,
    identify: ((FileDescriptor) throws(SystemError) -> Principal)?, log: @escaping (LogKind, LogMessage) -> Void
  ) {
    self.server = server
    self.loop = loop
    self.accounts = accounts
    self.identify = identify
    self.log = log
  }

  func open(_ listener: any StreamListener, _ door: Door) throws(SystemError) {
    if self.pause == nil {
      self.pause = try self.loop.timer(accuracy: .milliseconds(100)) { [unowned self] in
        for (_, watch) in self.listeners { watch.interest = .read }
      }
    }
    let watch = try self.loop.watch(listener.descriptor, for: .read) { [unowned self] _ in
      self.accept(from: listener, door)
    }
    self.listeners.append((listener, watch))
  }

  func close() {
    self.isClosed = true
    for (listener, watch) in self.listeners {
      watch.cancel()
      listener.close()
    }
    self.listeners = []
    self.pause = nil
  }

  private func accept(from listener: any StreamListener, _ door: Door) {
    // A few in each turn, so that many new connections do not delay those that are served.
    let deadline = EventLoop.readClock() + TurnScheduler.slice
    repeat {
      let descriptor: FileDescriptor
      do throws(SystemError) {
        guard let accepted = try listener.accept() else { return }
        descriptor = accepted
      } catch {
        self.log(.clientRefused, "a client could not be accepted, trying again in a second: \(error)")
        return self.pauseAccepting()
      }
      do throws(SystemError) {
        try self.admit(descriptor, door)
      } catch {
        // An error of this client alone, such as having left already: the next one is accepted.
        self.turnedAway(because: error)
      }
    } while EventLoop.readClock() < deadline
  }

  /// A client that waits to be accepted keeps the listener ready: without a pause the loop would spin.
  private func pauseAccepting() {
    for (_, watch) in self.listeners { watch.interest = [] }
    self.pause?.arm(at: self.loop.now + .seconds(1))
  }

  private func admit(_ descriptor: FileDescriptor, _ door: Door) throws(SystemError) {
    let principal =
      if let identify { try identify(descriptor) } else { try Principal(peerOf: descriptor) }
    switch self.server.takePlace(for: principal) {
    case .taken:
      self.name(principal) { [weak self] named in
        guard let named else { return self?.unnamed(descriptor, principal) ?? () }
        self?.welcome(descriptor, named, door)
      }
    case .refused(let limit, let value):
      self.logRejection("a client of user \(principal.uid, .user) was refused: \(limit, .limit) is \(value)")
      try self.refuse(descriptor, door, limit: limit, value: value)
    case .none:
      // Whether another client makes room depends on who this one is. The limit does not apply to root.
      guard self.waiting < ServerLimits.maxAwaitingAdmission || principal.uid == 0 else {
        return try self.refuseForLackOfPlaces(descriptor, principal, door)
      }
      self.waiting += 1
      self.name(principal) { [weak self] in self?.seat(descriptor, $0 ?? .unknown, door) }
    }
  }

  /// Looks up the user's name, for a limited time; and the groups of a client of which the kernel does not know them.
  ///
  /// - Parameter then: Gets `nil` if the groups cannot be looked up: a rule that denies a group must not fail to match.
  private func name(_ principal: Principal, then: @escaping (Principal?) -> Void) {
    guard self.identify == nil, let accounts, principal.uid != Principal.unknownUser else { return then(principal) }
    let knowsGroups = principal.gid != nil
    accounts.ask(knowsGroups ? .name(principal.uid) : .user(principal.uid)) { lookup in
      switch lookup {
      case .found(let account):
        var named =
          knowsGroups
          ? principal
          : Principal(uid: principal.uid, gid: account.groups.first, groups: account.groups, unit: principal.unit)
        named.user = account.name
        then(named)
      case .absent: then(principal)
      case .unknown: then(knowsGroups ? principal : nil)
      }
    }
  }

  private func unnamed(_ descriptor: FileDescriptor, _ principal: Principal) {
    descriptor.close()
    self.server.givePlaceBack(of: principal)
    self.logRejection("a client was turned away: the groups of user \(principal.uid) cannot be looked up")
  }

  /// Serves a client if there is a place for it although all places are taken.
  private func seat(_ descriptor: FileDescriptor, _ principal: Principal, _ door: Door) {
    self.waiting -= 1
    guard !self.isClosed else { return descriptor.close() }
    guard !self.server.takePlaceOfAnother(for: principal) else { return self.welcome(descriptor, principal, door) }
    do throws(SystemError) {
      try self.refuseForLackOfPlaces(descriptor, principal, door)
    } catch {
      self.turnedAway(because: error)
    }
  }

  private func refuseForLackOfPlaces(
    _ descriptor: FileDescriptor, _ principal: Principal, _ door: Door
  ) throws(SystemError) {
    let value = self.server.limits.maxClients
    self.logRejection("a client of user \(principal.uid, .user) was refused: \("max-clients", .limit) is \(value)")
    try self.refuse(descriptor, door, limit: "max-clients", value: value)
  }

  private func welcome(_ descriptor: FileDescriptor, _ principal: Principal, _ door: Door) {
    guard !self.isClosed else { return descriptor.close() }
    do throws(SystemError) {
      try self.server.welcome(descriptor, principal, at: door)
    } catch {
      self.server.givePlaceBack(of: principal)
      self.turnedAway(because: error)
    }
  }

  private func turnedAway(because error: SystemError) { self.logRejection("a client was turned away: \(error)") }

  private func logRejection(_ message: LogMessage) {
    if self.rejections.happened(now: self.loop.now) != nil { self.log(.clientRefused, message) }
  }

  /// Sends the reason in the door's protocol, as far as the socket takes it, and closes.
  ///
  /// - Throws: If the client has left already.
  private func refuse(
    _ descriptor: FileDescriptor, _ door: Door, limit: String, value: Int
  ) throws(SystemError) {
    let error = RPCError.limitExceeded(limit: limit, value: value)
    let text: [UInt8] =
      switch door {
      case .rpc: Framing.lines.frame(OutgoingMessage.error(id: nil, error))
      case .gpsd: GpsdServing.error(error.message)
      // A sentence cannot say why.
      case .nmea: []
      }
    if !text.isEmpty { _ = try descriptor.write(text[...]) }
    descriptor.close()
  }
}
