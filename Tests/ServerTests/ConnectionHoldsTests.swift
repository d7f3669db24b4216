import PositionProtocol
import Positioning
import Testing

@testable import Broker
@testable import Server

@Suite("What keeps a half-closed connection open")
struct ConnectionHoldsTests {
  private static let add = RegionAddRequest(region: RegionObject(id: "home"))

  private static func info(_ state: SubscriptionState) -> SubscriptionInfo {
    SubscriptionInfo(
      id: SubscriptionID(client: ClientID(1), number: 1), kind: .visits, state: state, availability: .available,
      updates: 0)
  }

  private static let name = DurableInfo(
    name: "log", regions: [], hasVisits: false, waiting: 0, lastEvent: 0, isAttached: true)

  private static func event(_ kind: RegionEventKind) -> Notification {
    .region(RegionEvent(region: "home", holder: ClientID(1), kind: kind, state: .inside))
  }

  @Test("is a subscription, until it is cancelled or ends")
  func subscriptions() {
    var holds = ConnectionHolds()
    holds.answered(VisitSubscribeRequest(), with: .subscribed(Self.info(.waiting)))
    holds.answered(SubscriptionPauseRequest(subscription: 1), with: .subscription(Self.info(.paused)))
    #expect(holds.count == 1)
    holds.answered(SubscriptionCancelRequest(subscription: 1), with: .subscription(Self.info(.ended)))
    #expect(holds.count == 0)
    holds.answered(VisitSubscribeRequest(), with: .subscribed(Self.info(.waiting)))
    holds.notified(.ended(Self.info(.ended).id, .expired))
    #expect(holds.count == 0)
  }

  @Test("is a region, once however often it is added, until it is removed or expires")
  func regions() {
    var holds = ConnectionHolds()
    holds.answered(Self.add, with: .failed(.limitExceeded(name: "x", value: 1)))
    #expect(holds.count == 0)
    for _ in 0..<2 { holds.answered(Self.add, with: .region(.unknown, warning: nil)) }
    holds.answered(RegionStateRequest(id: "home"), with: .region(.inside, warning: nil))
    holds.notified(Self.event(.enter))
    #expect(holds.count == 1)
    holds.answered(RegionRemoveRequest(id: "home"), with: .region(.inside, warning: nil))
    #expect(holds.count == 0)
    holds.answered(Self.add, with: .region(.unknown, warning: nil))
    holds.notified(Self.event(.expired))
    #expect(holds.count == 0)
  }

  @Test("is no durable region: that stays without it")
  func durableRegions() {
    var holds = ConnectionHolds()
    let durable = RegionAddRequest(region: RegionObject(id: "home"), durable: DurableParameter(name: "log"))
    holds.answered(durable, with: .region(.unknown, warning: nil))
    holds.answered(VisitSubscribeRequest(), with: .durableSubscribed(name: "log", .waiting, .available))
    #expect(holds.count == 0)
    holds.answered(Self.add, with: .region(.unknown, warning: nil))
    let remove = RegionRemoveRequest(id: "home", durable: DurableNameParameter(name: "log"))
    holds.answered(remove, with: .region(.unknown, warning: nil))
    #expect(holds.count == 1)
  }

  @Test("is an attachment, until another takes it or the name goes")
  func attachments() {
    var holds = ConnectionHolds()
    for _ in 0..<2 { holds.answered(DurableAttachRequest(name: "log"), with: .durable(Self.name)) }
    holds.answered(DurableAcknowledgeRequest(name: "log", event: 1), with: .durable(Self.name))
    #expect(holds.count == 1)
    holds.notified(.durableEnded(name: "log", .replaced))
    #expect(holds.count == 0)
    holds.answered(DurableAttachRequest(name: "log"), with: .durable(Self.name))
    holds.answered(DurableRemoveRequest(name: "log"), with: .durable(Self.name))
    #expect(holds.count == 0)
  }

  @Test("is no attachment that a permission was for which is gone", arguments: AuthorizationState.allCases)
  func withdrawnAttachments(state: AuthorizationState) {
    var holds = ConnectionHolds()
    holds.answered(DurableAttachRequest(name: "log"), with: .durable(Self.name))
    holds.answered(Self.add, with: .region(.unknown, warning: nil))
    let always = Authorization(state: .always, precision: .precise)
    holds.notified(.authorization(Authorization(state: state, precision: .reduced), previous: always))
    #expect(holds.count == (state == .always ? 2 : 1))
  }
}
