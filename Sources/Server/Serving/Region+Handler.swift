import Broker
import JSONRPC
import PositionProtocol
import Positioning

extension RegionAddRequest: RequestHandler {
  /// Checking a polygon compares all its edges, which is expensive.
  var requirement: Call.Requirement? { self.durable == nil ? .position : .durable }

  func handle(in context: ServeContext) -> Handling { .call(.addRegion(self.region, durable: self.durable)) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    RegionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension RegionRemoveRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.removeRegion(id: self.id, durable: self.durable)) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    RegionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension RegionStateRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.regionState(id: self.id, durable: self.durable)) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    RegionResult.reply(of: answer) ?? self.unexpected(answer, in: context)
  }
}

extension RegionListRequest: RequestHandler {
  func handle(in context: ServeContext) -> Handling { .call(.listRegions(durable: self.durable, after: self.after)) }

  static func result(of answer: Answer, in context: AnswerContext) -> Handling.Reply<Result> {
    guard case .regions(let page, let later) = answer else { return self.unexpected(answer, in: context) }
    // At least one region fits, so that listing ends however large the regions are.
    var room = RegionRoom(bytes: context.daemon.limits.maxReply)
    let regions = page.prefix { room.take($0.region) || $0.region.id == page.first?.region.id }
    let omitted = page.count - regions.count + later
    return .success(Result(regions: Array(regions), omitted: omitted > 0 ? omitted : nil))
  }
}

/// How much of an answer is left for regions: a user may have more than fit into one.
struct RegionRoom {
  private(set) var bytes: Int

  init(bytes: Int) { self.bytes = bytes }

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

extension RegionResult {
  fileprivate static func reply(of answer: Answer) -> Handling.Reply<Self>? {
    guard case .region(let state, let warning, _) = answer else { return nil }
    return .success(RegionResult(state: state, warning: warning))
  }
}
