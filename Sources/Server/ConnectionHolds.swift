import Broker
import PositionProtocol
import Positioning

/// What keeps a connection open after its client has shut down its sending side: everything that may still notify it.
struct ConnectionHolds: Hashable {
  private var subscriptions = 0
  /// The connection's own regions, by their ids. Regions of durable names do not need the connection.
  private var regions: Set<String> = []
  /// The durable names that the connection is attached to.
  private var names: Set<String> = []

  var count: Int { self.subscriptions + self.regions.count + self.names.count }

  mutating func answered(_ request: any RequestHandler, with answer: Answer) {
    switch answer {
    case .subscribed: self.subscriptions += 1
    case .subscription(let info): if info.state == .ended { self.subscriptions -= 1 }
    case .region:
      switch request {
      case let add as RegionAddRequest where add.durable == nil: self.regions.insert(add.region.id)
      case let remove as RegionRemoveRequest where remove.durable == nil: self.regions.remove(remove.id)
      default: break  // The others add and remove nothing of the connection's.
      }
    case .durable:
      switch request {
      case let attach as DurableAttachRequest: self.names.insert(attach.name)
      case let remove as DurableRemoveRequest: self.names.remove(remove.name)
      default: break  // An acknowledgement.
      }
    case .fix, .lastFix, .subscriptions, .request, .requests, .sky, .heading, .status, .durableSubscribed, .regions,
      .durables, .authorization, .agentRegistered, .clients, .grants, .grant, .enabled, .failed:
      break
    }
  }

  mutating func notified(_ notification: Notification) {
    switch notification {
    case .ended: self.subscriptions -= 1
    case .region(let event): if event.kind == .expired { self.regions.remove(event.region) }
    case .durableEnded(let name, _): self.names.remove(name)
    // A client stays attached only with the state `always`.
    case .authorization(let authorization, _): if authorization.state != .always { self.names = [] }
    case .position, .sky, .heading, .status, .visit, .durable, .durableOverflow, .prompted: break
    }
  }
}
