import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension DurableAttachRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<DurableInfo> {
    .call { .attachDurable(name: self.name, sinceEvent: self.sinceEvent.map { UInt64(clamping: $0) }, $0) }
  }

  func result(of info: DurableInfo, in context: AnswerContext) -> Result {
    var room = RegionRoom(bytes: context.daemon.limits.maxReply)
    return info.fitting(into: &room)
  }
}

extension DurableAcknowledgeRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<DurableInfo> {
    .call { .acknowledgeDurable(name: self.name, event: UInt64(clamping: self.event), $0) }
  }
}

extension DurableListRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<[DurableInfo]> { .call { .listDurables($0) } }

  func result(of names: [DurableInfo], in context: AnswerContext) -> Result {
    // All names share the room: regions of a name that are omitted can be listed with it.
    var room = RegionRoom(bytes: context.daemon.limits.maxReply)
    return Result(names: names.map { $0.fitting(into: &room) })
  }
}

extension DurableRemoveRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling<DurableInfo> { .call { .removeDurable(name: self.name, $0) } }
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
