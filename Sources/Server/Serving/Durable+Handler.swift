import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension DurableAttachRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling {
    .call(.attachDurable(name: self.name, sinceEvent: self.sinceEvent.map { UInt64(clamping: $0) }))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    guard case .durable(let info) = answer else { return self.unexpected(answer, in: context) }
    var room = RegionRoom(bytes: context.daemon.limits.maxReply)
    return .success(info.fitting(into: &room))
  }
}

extension DurableAcknowledgeRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling {
    .call(.acknowledgeDurable(name: self.name, event: UInt64(clamping: self.event)))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    guard case .durable(let info) = answer else { return self.unexpected(answer, in: context) }
    return .success(DurableWaitingResult(waiting: info.waiting))
  }
}

extension DurableListRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.listDurables) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    guard case .durables(let names) = answer else { return self.unexpected(answer, in: context) }
    // All names share the room: regions of a name that are omitted can be listed with it.
    var room = RegionRoom(bytes: context.daemon.limits.maxReply)
    return .success(Result(names: names.map { $0.fitting(into: &room) }))
  }
}

extension DurableRemoveRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.removeDurable(name: self.name)) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    guard case .durable(let info) = answer else { return self.unexpected(answer, in: context) }
    return .success(DurableWaitingResult(waiting: info.waiting))
  }
}

extension DurableInfo {
  /// The same with as many of its regions as there is room for.
  fileprivate func fitting(into room: inout RegionRoom) -> DurableInfo {
    var info = self
    info.regions = Array(self.regions.prefix { room.take($0.region) })
    info.regionsOmitted += self.regions.count - info.regions.count
    return info
  }
}
