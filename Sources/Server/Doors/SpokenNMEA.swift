import Broker
import EventLoop
import JSONRPC
import NMEA
import PositionProtocol
import Positioning

/// NMEA 0183: a client of this door needs positions from its first moment to its last, and nothing that it sends matters.
///
/// It gets only what is precise, because a sentence cannot say that a position is reduced. Others are closed at once. A
/// loss is a void sentence and never the end: GeoClue does not come back to a socket that closed.
final class SpokenNMEA: SpokenProtocol {
  /// The kinds of reports that supersede each other.
  private enum Kind: Int {
    case epoch = 1
    case satellites
  }

  private var watch: WatchSubscriptions
  private var stream = NMEAStream()
  private var hasBegun = false

  init(integrity: IntegrityDemand = .suspect) {
    self.watch = WatchSubscriptions(replay: .none, integrity: integrity)
  }

  // MARK: From the client

  func begin(_ client: inout ServedClient) -> [SpokenAction] {
    guard client.limit.precision == .precise else { return [Self.turnAway(client.principal)] }
    self.hasBegun = true
    return self.watch.begin(client)
  }

  func received(_ bytes: ArraySlice<UInt8>) {}

  /// Many readers close their sending side at once and read on. A Unix socket reports when they are gone.
  func receivedEnd() -> [SpokenAction] { [] }

  var hasUnserved: Bool { false }

  func next(_ client: inout ServedClient) -> ServedPart { ServedPart() }

  func forgetUnserved() {}

  var openCalls: Int { self.watch.openCalls }

  // MARK: From the broker

  func answered(_ call: CallID, _ answer: Answer, _ client: inout ServedClient) -> [SpokenAction] {
    self.receive(self.watch.answered(call, answer), &client)
  }

  func notified(_ notification: Notification, _ client: inout ServedClient) -> [SpokenAction] {
    let (news, actions) = self.watch.notified(notification, client)
    return self.receive(news, &client) + actions
  }

  private func receive(_ news: WatchSubscriptions.News?, _ client: inout ServedClient) -> [SpokenAction] {
    switch news {
    case .position(let update):
      if let fix = update.fix {
        client.queue.append(report: self.stream.fixed(fix), kind: Kind.epoch.rawValue, .precise)
      } else if !self.watch.givesFixes(update.availability) {
        client.queue.append(report: self.stream.lost(), kind: Kind.epoch.rawValue, .open)
      }
      return []
    case .sky(let sky):
      client.queue.append(report: self.stream.received(sky), kind: Kind.satellites.rawValue, .precise)
      return []
    case .heading(let heading):
      self.stream.turned(to: heading)
      return []
    case .refused: return [Self.turnAway(client.principal)]
    case nil: return []
    }
  }

  func limitChanged(denial: RPCError, _ client: inout ServedClient) -> [SpokenAction] {
    self.hasBegun && client.limit.precision != .precise ? [Self.turnAway(client.principal)] : []
  }

  private static func turnAway(_ principal: Principal) -> SpokenAction {
    .turnAway(
      "a client of user \(principal.uid, .user) was closed at the NMEA socket, which is only for those who"
        + " may know the precise position")
  }

  func farewell(_ reason: ClosingReason) -> [UInt8]? { nil }
}
