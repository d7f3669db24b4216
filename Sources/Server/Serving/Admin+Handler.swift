import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension AdminClientsRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.listClients) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    guard case .clients(let infos) = answer else { return self.unexpected(answer, in: context) }
    let (clients, omitted) = infos.fitting(into: context.daemon.limits.maxReply, at: context.moment)
    return .success(Result(clients: clients, omitted: omitted))
  }
}

extension AdminGrantsRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.listGrants) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    guard case .grants(let infos) = answer else { return self.unexpected(answer, in: context) }
    let (grants, omitted) = infos.fitting(into: context.daemon.limits.maxReply, at: context.moment)
    return .success(Result(grants: grants, omitted: omitted))
  }
}

extension AdminGrantRequest: RequestHandler {
  /// An account lookup is only for administrators.
  var requirement: Call.Requirement? { .administrator }

  func handle(in context: ServeContext) -> Handling {
    .naming(self.user, needsName: true) { uid, name in
      .grant(uid: uid, user: name ?? "", self.level, self.precision)
    }
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    Grant.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension AdminRevokeRequest: RequestHandler {
  var requirement: Call.Requirement? { .administrator }

  func handle(in context: ServeContext) -> Handling {
    .naming(self.user, needsName: false) { uid, _ in .revoke(uid: uid) }
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    Grant.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension AdminEnableRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.setEnabled(true)) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    EnabledResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension AdminDisableRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.setEnabled(false)) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    EnabledResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension EnabledResult {
  fileprivate static func reply(of answer: Answer) -> Handling.Reply<Self>? {
    guard case .enabled(let isEnabled, let isStored, let unread) = answer else { return nil }
    return .success(EnabledResult(isEnabled: isEnabled, stored: isStored ? nil : false, unread: unread))
  }
}

extension Grant {
  /// The result for an answer about one decision; `nil` for any other.
  fileprivate static func reply(of answer: Answer) -> Handling.Reply<Self>? {
    guard case .grant(let grant) = answer else { return nil }
    return .success(grant)
  }
}

extension Array where Element: WireObject {
  /// The first elements that fit into so many bytes, and how many are omitted; `nil`: none.
  fileprivate func fitting(into bytes: Int, at moment: CodingMoment) -> ([Element], omitted: Int?) {
    var left = bytes
    let fitting = self.filter { element in
      guard let text = try? Element.codec.encode(element, moment: moment), case let needed = text.count + 1,
        needed <= left
      else {
        return false
      }
      left -= needed
      return true
    }
    let omitted = self.count - fitting.count
    return (fitting, omitted > 0 ? omitted : nil)
  }
}
