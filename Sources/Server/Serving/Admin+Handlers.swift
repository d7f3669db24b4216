import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension AdminClientsRequest: RequestHandler {
  func handle() -> Handling<[ClientInfo]> { .call { .listClients($0) } }

  func result(of infos: [ClientInfo], in context: AnswerContext) -> Result {
    let (clients, omitted) = infos.fitting(into: context.daemon.limits.maxReply, at: context.moment)
    return Result(clients: clients, omitted: omitted)
  }
}

extension AdminGrantsRequest: RequestHandler {
  func handle() -> Handling<[Grant]> { .call { .listGrants($0) } }

  func result(of infos: [Grant], in context: AnswerContext) -> Result {
    let (grants, omitted) = infos.fitting(into: context.daemon.limits.maxReply, at: context.moment)
    return Result(grants: grants, omitted: omitted)
  }
}

extension AdminGrantRequest: RequestHandler {
  func handle() -> Handling<Grant> {
    .naming(self.user, needsName: true) { uid, name, by in
      .grant(uid: uid, user: name ?? "", self.level, self.precision, by)
    }
  }
}

extension AdminRevokeRequest: RequestHandler {
  func handle() -> Handling<Grant> {
    .naming(self.user, needsName: false) { uid, _, by in .revoke(uid: uid, by) }
  }
}

extension AdminEnableRequest: RequestHandler {
  func handle() -> Handling<SwitchAnswer> { .call { .setEnabled(true, $0) } }
}

extension AdminDisableRequest: RequestHandler {
  func handle() -> Handling<SwitchAnswer> { .call { .setEnabled(false, $0) } }
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

extension AgentRegisterRequest: RequestHandler {
  func handle() -> Handling<AgentAnswer> { .call { .registerAgent($0) } }

  func result(of value: AgentAnswer, in context: AnswerContext) -> Result { Result() }
}
