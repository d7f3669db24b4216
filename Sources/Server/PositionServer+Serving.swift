import Broker
import EventLoop
import JSONRPC
import PositionProtocol
import Positioning

/// Requests of clients, which become calls of the broker.
extension PositionServer {
  func serve(_ request: any RequestType, serial: UInt64, on connection: RPCConnection) {
    let handler = self.handlers.handler(of: request)
    let call = CallID(client: connection.client, serial: serial)
    do throws(RPCError) {
      let context = ServeContext(call: call, daemon: self.daemon, client: connection)
      self.follow(try handler.step(in: context), of: handler, as: call, on: connection)
    } catch {
      connection.answer(serial, .failure(error))
    }
  }

  private func follow(
    _ step: HandlingStep, of handler: any RequestHandler, as call: CallID, on connection: RPCConnection
  ) {
    let serial = call.serial
    switch step {
    case .reply(let reply): connection.answer(serial, reply)
    case .introduction(let name, let purpose, let what):
      self.introduce(connection, name: name, purpose: purpose)
      self.call(what, as: call, for: handler, on: connection)
    case .relaying(let user, let name, let purpose, let what):
      self.relay(for: user, as: call, for: handler, on: connection) { [weak self] in
        self?.introduce(connection, name: name, purpose: purpose)
        self?.call(what, as: call, for: handler, on: connection)
      }
    case .call(let what): self.call(what, as: call, for: handler, on: connection)
    case .naming(let user, let needsName, let make):
      // Others are denied before the lookup.
      if let failure = self.denial(call, .administrator) {
        return connection.answer(serial, .failure(RPCError(failure, in: self.context(for: connection))))
      }
      let resolution = UserResolution(user, needsName: needsName)
      connection.handlers[serial] = handler
      // In the clients' order: a revocation must not come before the grant that it revokes.
      connection.resolutions.append { [weak self] in
        self?.go(on: resolution.begin(), of: resolution, with: make, as: call, for: handler)
      }
      if connection.resolutions.count == 1 { connection.resolutions.first?() }
    }
  }

  private func introduce(_ connection: RPCConnection, name: String?, purpose: String?) {
    connection.principal.name = name
    connection.principal.purpose = purpose
    self.report(.clientIntroduced(connection.client, name: name, purpose: purpose))
  }

  private func call(_ call: Call, as id: CallID, for request: any RequestHandler, on connection: RPCConnection) {
    connection.handlers[id.serial] = request
    self.report(.called(id, call))
  }

  /// Looks up the user of the request; meanwhile the client may disconnect.
  private func go(
    on step: UserResolution.Step, of resolution: UserResolution, with make: @escaping (UInt32, String?) -> Call,
    as id: CallID, for request: any RequestHandler
  ) {
    guard let connection = self.connections[id.client] as? RPCConnection else { return }
    guard connection.handlers[id.serial] != nil else { return self.resolved(on: connection) }
    switch step {
    case .failed(let error):
      connection.answer(id.serial, .failure(error))
      self.resolved(on: connection)
    case .found(let uid, let name):
      self.call(make(uid, name), as: id, for: request, on: connection)
      self.resolved(on: connection)
    case .ask(let question):
      guard let users else {
        connection.answer(id.serial, .failure(.unknownUsers))
        return self.resolved(on: connection)
      }
      users.ask(question) { [weak self] lookup in
        self?.go(on: resolution.answered(question, lookup), of: resolution, with: make, as: id, for: request)
      }
    }
  }

  /// Continues with the connection's next request that names a user.
  private func resolved(on connection: RPCConnection) {
    connection.resolutions.removeFirst()
    connection.resolutions.first?()
  }

  func serve(_ notification: any NotificationType, on connection: RPCConnection) {
    guard let cancel = notification as? CancelRequestNotification, let serial = connection.session.serial(of: cancel.id)
    else {
      return
    }
    // There is no answer to this call: the cancelled request gets the error.
    let target = CallID(client: connection.client, serial: serial)
    self.report(.called(CallID(client: connection.client, serial: 0), .cancelRequest(target)))
  }
}

extension RPCError {
  /// There is no account service.
  static let unknownUsers = RPCError.internalError(
    "the system cannot say who that is", remedy: "start positiond anew")
}
