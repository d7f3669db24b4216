package import EventLoop
import JSONRPC
import PositionClient
import PositionProtocol
import Positioning
package import Systemd

/// Offers GeoClue's objects on a bus, and gets the locations from the daemon. It decides nothing.
///
/// `@unchecked Sendable`: it lives on the loop's thread.
package final class Bridge: @unchecked Sendable {
  package static let busName = "org.freedesktop.GeoClue2"

  private let loop: EventLoop
  private let socket: String
  private let log: Log
  private let bus: any MessageBus
  private let subordinates: () -> SubordinateNumbers
  /// Called when its state changes.
  private let report: (State) -> Void
  private var service = GeoClueService()
  private var incoming: (any BusSlot)?
  private var disconnection: (any BusSlot)?
  private var naming: (any BusSlot)?
  private var calls: [GeoClueService.CallNumber: any IncomingCall] = [:]
  private var lastCall: GeoClueService.CallNumber = 0
  /// The calls that ask the bus for the users of programs; `nil` once one was answered.
  private var programs: [String: (any BusSlot)?] = [:]
  /// The ends of all programs on the bus, while there are programs here. The bus takes a few hundred matches from one
  /// connection, so there is none for each.
  private var ends: (any BusSlot)?
  private var connections: [GeoClueService.ClientNumber: ClientConnection] = [:]
  private var assessment: RequestMultiplexer?

  package enum State: Hashable, Sendable {
    /// It has GeoClue's name.
    case serving
    /// It cannot go on, for this reason.
    case failed(String)
  }

  /// - Parameters:
  ///   - bus: A connection to it.
  ///   - socket: The daemon's socket.
  ///   - subordinates: Whose the numbers of containers are; asked whenever a program is identified.
  ///   - report: Called when its state changes.
  package init(
    on loop: EventLoop, bus: any MessageBus, socket: String, log: Log,
    subordinates: @escaping () -> SubordinateNumbers = SubordinateFile.reader(), report: @escaping (State) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.socket = socket
    self.log = log
    self.bus = bus
    self.subordinates = subordinates
    self.report = report
    self.disconnection = try bus.watch(BusSignals.disconnection) { _ in
      report(.failed("the bus has closed the connection"))
    }
    self.incoming = try bus.takeCalls { [unowned self] in self.called($0) }
    self.naming = try bus.call(
      .ofBus("RequestName"), [.string(Self.busName), .uint32(Self.doNotQueue)], within: nil
    ) { [unowned self] in self.named($0) }
  }

  /// `DBUS_NAME_FLAG_DO_NOT_QUEUE`.
  private static let doNotQueue: UInt32 = 4
  /// `DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER`.
  private static let primaryOwner: UInt32 = 1

  private func named(_ reply: BusReply) {
    switch reply {
    case .returned(let answer) where answer.values == [.uint32(Self.primaryOwner)]:
      self.log.write(.serving, "positiond-geoclue serves \(Self.busName)")
      self.report(.serving)
    case .returned:
      self.report(
        .failed("another program has \(Self.busName); stop it with \"systemctl stop geoclue.service\""))
    case .failed(let error):
      self.report(.failed("the bus refuses the name \(Self.busName): \(error.message)"))
    case .disconnected: self.report(.failed("the bus has closed the connection"))
    }
  }

  // MARK: The bus

  private func called(_ call: any IncomingCall) {
    self.lastCall += 1
    self.calls[self.lastCall] = call
    self.perform(
      self.service.called(
        GeoClueService.Call(
          number: self.lastCall, sender: call.sender, path: call.path, interface: call.interface, member: call.member,
          arguments: call.arguments)))
  }

  private func perform(_ actions: [GeoClueService.Action]) {
    for action in actions {
      do throws(SystemError) {
        try self.perform(action)
      } catch {
        self.log.write(.messageDropped, "\(error)")
      }
    }
  }

  private func perform(_ action: GeoClueService.Action) throws(SystemError) {
    switch action {
    case .reply(let number, let values): try self.calls.removeValue(forKey: number)?.reply(values)
    case .fail(let number, let error): try self.calls.removeValue(forKey: number)?.fail(error)
    case .identify(let sender): self.identify(sender)
    case .forget(let sender): self.forget(sender)
    case .authorize(let client, let uid, let desktopID, let precision):
      self.authorize(client, uid: uid, desktopID: desktopID, precision)
    case .follow(let client, let need): self.follow(client, need)
    case .release(let client): self.release(client)
    case .assess: self.assess()
    case .signal(let path, let interface, let member, let values, let destination):
      try self.bus.signal(path: path, interface: interface, member: member, values, to: destination)
    }
  }

  /// The bus answers in order: a program that leaves after the bus has named its user is reported.
  private func identify(_ sender: String) {
    do throws(SystemError) {
      if self.ends == nil {
        self.ends = try self.bus.watch(BusSignals.ends) { [unowned self] signal in
          if let name = signal.values.first?.text { self.perform(self.service.vanished(name)) }
        }
      }
      let user = try self.bus.call(
        .ofBus("GetConnectionUnixUser"), [.string(sender)], within: .seconds(25)
      ) { [unowned self] reply in
        var uid: UInt32?
        if case .returned(let answer) = reply, case .uint32(let number)? = answer.values.first { uid = number }
        self.programs[sender] = .some(nil)
        let countedAs = uid.flatMap { self.subordinates().claim(of: $0)?.number }
        self.perform(self.service.identified(sender, as: uid, countedAs: countedAs))
      }
      self.programs[sender] = user
    } catch {
      self.log.write(.clientRefused, "\(error)")
      self.perform(self.service.identified(sender, as: nil))
    }
  }

  private func forget(_ sender: String) {
    self.programs[sender] = nil
    if self.programs.isEmpty { self.ends = nil }
  }

  // MARK: The daemon

  private func authorize(
    _ client: GeoClueService.ClientNumber, uid: UInt32, desktopID: String, _ precision: Precision
  ) {
    do throws(SystemError) {
      let connection = ClientConnection(on: self.loop, socket: self.socket, uid: uid, desktopID: desktopID)
      self.connections[client] = connection
      try connection.authorize(precision) { [unowned self, weak connection] decision in
        guard let connection, self.connections[client] === connection else { return }
        self.perform(self.service.decided(client, decision))
      }
    } catch {
      self.perform(self.service.decided(client, .unreachable("\(error)")))
    }
  }

  private func follow(_ client: GeoClueService.ClientNumber, _ need: LocationNeed) {
    guard let former = self.connections[client] else { return }
    do throws(SystemError) {
      let connection = former.isFollowing ? try former.renewed() : former
      self.connections[client] = connection
      connection.follow(need.subscription) { [unowned self, weak connection] event in
        guard let connection, self.connections[client] === connection else { return }
        switch event {
        case .permitted(let precision): self.perform(self.service.permitted(client, precision))
        case .located(let fix):
          let now = CodingMoment(now: self.loop.readClock(), since1970: self.loop.readWallClock())
          self.perform(
            self.service.located(client, Location(fix: fix, time: Timestamp(of: fix.ageBegin, at: now))))
        case .suspended(let isSuspended): self.perform(self.service.suspended(client, isSuspended))
        case .ended: self.perform(self.service.ended(client))
        }
      }
    } catch {
      self.log.write(.clientRefused, "\(error)")
      self.perform(self.service.ended(client))
    }
  }

  private func release(_ client: GeoClueService.ClientNumber) {
    self.connections.removeValue(forKey: client)?.close()
  }

  /// Without a daemon or a receiver no accuracy is available.
  private func assess() {
    let multiplexer = RequestMultiplexer(
      on: self.loop, path: self.socket, name: "positiond-geoclue", purpose: "says whether positions are available")
    self.assessment = multiplexer
    do throws(SystemError) {
      try multiplexer.begin()
    } catch {
      return self.perform(self.service.assessed(.none))
    }
    multiplexer.ask(
      ticket: multiplexer.makeTicket(), whileDown: .fail, send: { $0.request(StatusGetRequest(), then: $1) }
    ) { [unowned self] (result: Result<DaemonStatus, PositionError>) in
      let isAvailable = if case .success(let status) = result { status.canLocate } else { false }
      self.endAssessment()
      self.perform(self.service.assessed(isAvailable ? .exact : .none))
    }
  }

  /// Released later, because its own handler may call this.
  private func endAssessment() {
    guard let multiplexer = self.assessment.take() else { return }
    self.loop.call { multiplexer.close() }
  }
}

extension DaemonStatus {
  /// Whether there is a receiver, as far as it is known: while it is off nobody knows.
  fileprivate var canLocate: Bool {
    switch self.receiver.availability {
    case .receiverMissing, .gpsdFull, .gpsdDown: false
    case .available, .untrusted, .searching, .stale, .lost, .accuracyLimited, .poweredDown, .denied, .unknown: true
    }
  }
}
