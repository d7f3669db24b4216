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
  /// Whether users are looked up.
  private let isNaming: Bool
  private let log: (LogKind, LogMessage) -> Void
  private unowned let server: PositionServer
  private let places: ClientPlaces

  private var listeners: [(any StreamListener, DescriptorWatch)] = []
  /// Armed while no client can be accepted because there is no descriptor left. Made with the first listener: it must not
  /// need a descriptor then.
  private var pause: LoopTimer?
  private var rejections = ServerLimits.logRation
  /// Clients that wait for a decision whether there is a place for them, by user.
  private var waiting: [UInt32: Int] = [:]
  private var isClosed = false

  /// - Parameters:
  ///   - accounts: Looks up the names of users; `nil`: they have no names.
  ///   - identify: Determines who a client is; `nil`: the kernel's credentials.
  ///   - isNaming: Whether the system is asked what user that is; `false`: it is known already.
  init(
    of server: PositionServer, places: ClientPlaces, loop: EventLoop, accounts: AccountService?,
    identify: ((FileDescriptor) throws(SystemError) -> Principal)?, isNaming: Bool,
    log: @escaping (LogKind, LogMessage) -> Void
  ) {
    self.server = server
    self.places = places
    self.loop = loop
    self.accounts = accounts
    self.identify = identify
    self.isNaming = isNaming
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
    let deadline = self.loop.readClock() + TurnScheduler.slice
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
    } while self.loop.readClock() < deadline
  }

  /// A client that waits to be accepted keeps the listener ready: without a pause the loop would spin.
  private func pauseAccepting() {
    for (_, watch) in self.listeners { watch.interest = [] }
    self.pause?.arm(at: self.loop.now + .seconds(1))
  }

  private func admit(_ descriptor: FileDescriptor, _ door: Door) throws(SystemError) {
    let peer = if let identify { try identify(descriptor) } else { try Principal(peerOf: descriptor) }
    let claim = self.isNaming ? self.accounts?.claim(of: peer.uid) : nil
    let unnamed = Principal(unnamed: peer, claim)
    switch self.places.take(for: unnamed) {
    case .taken:
      self.name(peer, claim) { [weak self] principal in
        guard let self else { return }
        guard let principal else { return self.unidentified(descriptor, unnamed) }
        self.serve(descriptor, principal, door, unless: self.places.move(from: unnamed, to: principal))
      }
    case .refused(let limit): try self.refuse(descriptor, unnamed, door, limit)
    case .none:
      // Whether another client makes room depends on who this one is. The limits do not apply to root.
      guard self.mayWait(unnamed.uid) else { return try self.refuse(descriptor, unnamed, door, self.places.allPlaces) }
      self.waiting[unnamed.uid, default: 0] += 1
      self.name(peer, claim) { [weak self] principal in
        guard let self else { return }
        self.countDown(unnamed.uid)
        guard !self.isClosed else { return descriptor.close() }
        let limit = self.places.takeAnothers(for: principal ?? .unknown, now: self.loop.now)
        self.serve(descriptor, principal ?? .unknown, door, unless: limit)
      }
    }
  }

  /// Whether one more client of the user may wait while all places are taken.
  private func mayWait(_ uid: UInt32) -> Bool {
    uid == 0
      || self.waiting.values.reduce(0, +) < ServerLimits.maxAwaitingAdmission
        && self.waiting[uid, default: 0] < ServerLimits.maxAwaitingAdmissionOfUser
  }

  private func countDown(_ uid: UInt32) {
    let left = self.waiting[uid, default: 1] - 1
    self.waiting[uid] = left > 0 ? left : nil
  }

  /// Looks up the user, for a limited time.
  ///
  /// - Parameter then: Gets `nil` if the client cannot be served without the answer.
  private func name(
    _ peer: Principal, _ claim: SubordinateNumbers.Claim?, then: @escaping (Principal?) -> Void
  ) {
    guard let accounts, self.isNaming, peer.uid != Principal.unknownUser else { return then(peer) }
    accounts.ask(.client(peer.uid, owners: claim?.owners ?? [])) { then(Principal(peer, claim, $0)) }
  }

  private func unidentified(_ descriptor: FileDescriptor, _ principal: Principal) {
    descriptor.close()
    self.places.giveBack(principal)
    self.logRejection("a client was turned away: the groups of user \(principal.number) cannot be looked up")
  }

  /// Serves a client that has a place, or refuses it because of a limit.
  private func serve(
    _ descriptor: FileDescriptor, _ principal: Principal, _ door: Door, unless limit: ClientPlaces.Limit?
  ) {
    do throws(SystemError) {
      if let limit { return try self.refuse(descriptor, principal, door, limit) }
      guard !self.isClosed else { return descriptor.close() }
      try self.server.welcome(descriptor, principal, at: door)
    } catch {
      if limit == nil { self.places.giveBack(principal) }
      self.turnedAway(because: error)
    }
  }

  private func turnedAway(because error: SystemError) { self.logRejection("a client was turned away: \(error)") }

  private func logRejection(_ message: LogMessage) {
    if self.rejections.take(now: self.loop.now) != nil { self.log(.clientRefused, message) }
  }

  /// Sends the reason in the door's protocol, as far as the socket takes it, and closes.
  ///
  /// - Throws: If the client has left already.
  private func refuse(
    _ descriptor: FileDescriptor, _ principal: Principal, _ door: Door, _ limit: ClientPlaces.Limit
  ) throws(SystemError) {
    self.logRejection(
      "a client of user \(principal.number, .user) was refused: \(limit.key, .limit) is \(limit.value)")
    let error = RPCError.limitExceeded(limit: limit.key, value: limit.value)
    let text: [UInt8] =
      switch door {
      case .rpc: Framing.lines.frame(OutgoingMessage.error(id: nil, error))
      case .gpsd: GpsdServing.error(error.message)
      // NMEA has no sentence that says why.
      case .nmea: []
      }
    var rest = text[...]
    while !rest.isEmpty, case .wrote(let count) = try descriptor.write(rest) { rest.removeFirst(count) }
    descriptor.close()
  }
}

extension Principal {
  /// The number by which the log names a client: until its owner is known, a subordinate number is that alone.
  fileprivate var number: UInt32 { self.user == nil ? self.subordinate ?? self.uid : self.uid }
}
