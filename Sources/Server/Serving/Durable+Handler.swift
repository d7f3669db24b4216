import Broker
import JSONRPC
import PositionProtocol

extension DurableAttachRequest: RequestHandler {
  func handle(in context: ServeContext) throws(RPCError) -> Handling {
    try ParameterCombinations.check(name: self.name)
    return .call(.attachDurable(name: self.name, sinceEvent: self.sinceEvent.map { UInt64(clamping: $0) }))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    guard case .durable(let info) = answer else { return self.unexpected(answer, in: context) }
    var room = RegionRoom(bytes: context.daemon.limits.maxReply)
    return .success(DurableObject(info, room: &room, in: context))
  }
}

extension DurableAcknowledgeRequest: RequestHandler {
  func handle(in context: ServeContext) throws(RPCError) -> Handling {
    try ParameterCombinations.check(name: self.name)
    return .call(.acknowledgeDurable(name: self.name, event: UInt64(clamping: self.event)))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    guard case .durable(let info) = answer else { return self.unexpected(answer, in: context) }
    return .success(DurableWaitingResult(waiting: info.waiting))
  }
}

extension DurableListRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.listDurables) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    guard case .durables(let names) = answer else { return self.unexpected(answer, in: context) }
    // All names share the room: regions of a name that are omitted can be listed with it.
    var room = RegionRoom(bytes: context.daemon.limits.maxReply)
    return .success(Result(names: names.map { DurableObject($0, room: &room, in: context) }))
  }
}

extension DurableRemoveRequest: RequestHandler {
  func handle(in context: ServeContext) throws(RPCError) -> Handling {
    try ParameterCombinations.check(name: self.name)
    return .call(.removeDurable(name: self.name))
  }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply {
    guard case .durable(let info) = answer else { return self.unexpected(answer, in: context) }
    return .success(DurableWaitingResult(waiting: info.waiting))
  }
}

extension DurableRequest {
  init(_ parameter: DurableParameter) {
    self.init(name: parameter.name, wake: parameter.wake)
  }
}

extension DurableObject {
  fileprivate init(_ info: DurableInfo, room: inout RegionRoom, in context: AnswerContext) {
    let regions = info.regions.prefix { room.take($0.region) }
    let omitted = info.regions.count - regions.count + info.regionsOmitted
    self.init(
      durable: info.name, wake: info.wake, regions: regions.map { WatchedRegionObject($0, in: context) },
      omitted: omitted > 0 ? omitted : nil, position: info.position.map { PositionSubscribeRequest($0) },
      visits: info.hasVisits, waiting: info.waiting, lastEvent: Int(clamping: info.lastEvent),
      isAttached: info.isAttached, wakeTrouble: info.wakeTrouble)
  }
}
