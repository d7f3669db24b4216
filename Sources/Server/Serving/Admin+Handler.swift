import Broker
import JSONRPC
import PositionProtocol

extension AdminClientsRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.listClients) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    guard case .clients(let infos) = answer else { return self.unexpected(answer, in: context) }
    let (clients, omitted) = infos.map { ClientObject($0) }.fitting(into: context.daemon.limits.maxReply)
    return .success(Result(clients: clients, omitted: omitted))
  }
}

extension AdminGrantsRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.listGrants) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    guard case .grants(let infos) = answer else { return self.unexpected(answer, in: context) }
    let (grants, omitted) = infos.map { GrantObject($0, in: context) }.fitting(into: context.daemon.limits.maxReply)
    return .success(Result(grants: grants, omitted: omitted))
  }
}

extension AdminGrantRequest: RequestHandler {
  /// An account lookup is only for administrators.
  var requirement: Call.Requirement? { .administrator }

  func handle(in context: ServeContext) throws(RPCError) -> Handling {
    try ParameterCombinations.check(self)
    let level = AuthorizationLevel(granted: self.level)
    let precision = self.precision.map { Precision($0) } ?? .precise
    return .naming(self.user, needsName: true) { uid, name in .grant(uid: uid, user: name ?? "", level, precision) }
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    GrantObject.reply(of: answer, in: context) ?? self.unexpected(answer, in: context)
  }
}

extension AdminRevokeRequest: RequestHandler {
  var requirement: Call.Requirement? { .administrator }

  func handle(in context: ServeContext) -> Handling {
    .naming(self.user, needsName: false) { uid, _ in .revoke(uid: uid) }
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    GrantObject.reply(of: answer, in: context) ?? self.unexpected(answer, in: context)
  }
}

extension AdminEnableRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.setEnabled(true)) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    EnabledResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension AdminDisableRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.setEnabled(false)) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    EnabledResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension EnabledResult {
  fileprivate static func reply(of answer: Answer) -> Handling.Reply? {
    guard case .enabled(let isEnabled, let isStored, let unread) = answer else { return nil }
    return .success(EnabledResult(isEnabled: isEnabled, stored: isStored ? nil : false, unread: unread))
  }
}

extension ClientObject {
  fileprivate init(_ info: ClientInfo) {
    self.init(
      principal: PrincipalObject(info.principal), authorization: AuthorizationObject(info.authorization),
      requests: info.requests, subscriptions: info.subscriptions, regions: info.regions)
  }
}

extension GrantObject {
  fileprivate init(_ info: GrantInfo, in context: AnswerContext) {
    let decision = info.decision
    self.init(
      uid: info.uid, user: decision.user ?? "", level: Level(decision.level),
      precision: decision.level == nil ? nil : AuthorizationObject.Precision(decision.precision),
      time: context.time(of: decision.at), stored: info.isStored ? nil : false)
  }

  fileprivate static func reply(of answer: Answer, in context: AnswerContext) -> Handling.Reply? {
    guard case .grant(let info) = answer else { return nil }
    return .success(GrantObject(info, in: context))
  }
}

extension GrantObject.Level {
  fileprivate init(_ level: AuthorizationLevel?) {
    switch level {
    case nil: self = .deny
    case .whenInUse: self = .whenInUse
    case .always: self = .always
    }
  }
}

extension AuthorizationLevel {
  /// `nil`: no grant.
  fileprivate init?(granted level: GrantObject.Level) {
    switch level {
    case .deny: return nil
    case .whenInUse: self = .whenInUse
    case .always: self = .always
    }
  }
}

extension Array where Element: WireObject {
  /// The first elements that fit into so many bytes, and how many are omitted; `nil`: none.
  fileprivate func fitting(into bytes: Int) -> ([Element], omitted: Int?) {
    var left = bytes
    let fitting = self.filter { element in
      guard let text = try? Element.codec.encode(element), case let needed = text.count + 1, needed <= left else {
        return false
      }
      left -= needed
      return true
    }
    let omitted = self.count - fitting.count
    return (fitting, omitted > 0 ? omitted : nil)
  }
}
