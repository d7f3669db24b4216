import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension RegionAddRequest: RequestHandler {
  func handle() -> Handling<RegionAnswer> {
    .call { .addRegion(self.region, durable: self.durable, $0) }
  }
}

extension RegionRemoveRequest: RequestHandler {
  func handle() -> Handling<RegionAnswer> {
    .call { .removeRegion(id: self.id, durable: self.durable, $0) }
  }
}

extension RegionStateRequest: RequestHandler {
  func handle() -> Handling<RegionAnswer> {
    .call { .regionState(id: self.id, durable: self.durable, $0) }
  }
}

extension RegionListRequest: RequestHandler {
  func handle() -> Handling<RegionPage> {
    .call { .listRegions(durable: self.durable, after: self.after, $0) }
  }

  func result(of page: RegionPage, in context: AnswerContext) -> Result {
    // At least one region fits, so that listing ends however large the regions are.
    var room = RegionRoom(bytes: context.daemon.limits.maxReply)
    let regions = page.regions.prefix { room.take($0.region) || $0.region.id == page.regions.first?.region.id }
    let omitted = page.regions.count - regions.count + page.omitted
    return Result(regions: Array(regions), omitted: omitted > 0 ? omitted : nil)
  }
}

/// How much of an answer is left for regions: a user may have more than fit into one.
struct RegionRoom {
  private(set) var bytes: Int

  /// Whether this region fits too; takes the room if so.
  mutating func take(_ region: Region) -> Bool {
    let corners = if case .polygon(let corners) = region.shape { corners.count } else { 0 }
    // The most that it takes: an id of escaped characters, corners with all their decimals.
    let needed = 400 + 6 * region.id.utf8.count + 33 * corners
    guard needed <= self.bytes else {
      self.bytes = 0
      return false
    }
    self.bytes -= needed
    return true
  }
}

extension DurableAttachRequest: RequestHandler {
  func handle() -> Handling<DurableInfo> {
    .call { .attachDurable(name: self.name, sinceEvent: self.sinceEvent.map { UInt64(clamping: $0) }, $0) }
  }

  func result(of info: DurableInfo, in context: AnswerContext) -> Result {
    var room = RegionRoom(bytes: context.daemon.limits.maxReply)
    return info.fitting(into: &room)
  }
}

extension DurableAcknowledgeRequest: RequestHandler {
  func handle() -> Handling<DurableInfo> {
    .call { .acknowledgeDurable(name: self.name, event: UInt64(clamping: self.event), $0) }
  }
}

extension DurableListRequest: RequestHandler {
  func handle() -> Handling<[DurableInfo]> { .call { .listDurables($0) } }

  func result(of names: [DurableInfo], in context: AnswerContext) -> Result {
    // All names share the room: regions of a name that are omitted can be listed with it.
    var room = RegionRoom(bytes: context.daemon.limits.maxReply)
    return Result(names: names.map { $0.fitting(into: &room) })
  }
}

extension DurableRemoveRequest: RequestHandler {
  func handle() -> Handling<DurableInfo> { .call { .removeDurable(name: self.name, $0) } }
}

extension DurableInfo {
  /// The durable name with as many of its regions as there is room for.
  fileprivate func fitting(into room: inout RegionRoom) -> DurableInfo {
    var info = self
    info.regions = Array(self.regions.prefix { room.take($0.region) })
    info.regionsOmitted += self.regions.count - info.regions.count
    return info
  }
}
