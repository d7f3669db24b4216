import Positioning

@testable import Broker

/// The parts of the machine that tests read.
extension BrokerMachine {
  var settings: BrokerSettings { self.parts.settings }
  var isStopping: Bool { self.parts.isStopping }
  var planner: DemandPlanner { self.parts.demand }
  var permissions: PermissionBook { self.parts.permissions }
  var usage: UsageLedger { self.parts.usage }
  var names: DurableNames { self.parts.names }
  var commits: Commits { self.parts.commits }
  var feeds: Feeds { self.parts.feeds }
  var clients: ClientTable { self.parts.clients }
  var prompts: PromptQueue { self.parts.prompts }
  var statusReporter: StatusReporter { self.parts.status }

  var current: Fix? { self.parts.receiver.current }
  var availability: Availability { self.parts.receiver.availability }
  var requestCount: Int { self.parts.calls.count }
  var subscriptionCount: Int { self.parts.subscriptions.count }
  var subscriptionIDs: [SubscriptionID] { self.parts.subscriptions.ids }

  var requests: [PendingRequest] {
    self.parts.calls.ids.compactMap { if case .fix(let request) = self.parts.calls[$0] { request } else { nil } }
  }
  var awaitingCalls: [AwaitingCall] {
    self.parts.calls.ids.compactMap {
      if case .awaitingAuthorization(let awaiting) = self.parts.calls[$0] { awaiting } else { nil }
    }
  }
  var positions: [PositionSubscription] { self.subscriptionIDs.compactMap { self.parts.subscriptions.position($0) } }
  var statuses: [StatusSubscription] {
    self.subscriptionIDs.compactMap {
      if case .status(let status) = self.parts.subscriptions[$0] { status } else { nil }
    }
  }

  var holdings: HoldingsLedger {
    HoldingsLedger(
      requests: self.parts.calls.users, subscriptions: self.parts.subscriptions.ofClients,
      statuses: self.parts.subscriptions.statuses, deferred: self.parts.subscriptions.deferred,
      regions: self.parts.feeds.holdings.regions, corners: self.parts.feeds.holdings.corners)
  }

  func status(for client: ClientID, now: Instant) -> DaemonStatus { self.parts.status(for: client, now: now) }

  func needs(now: Instant) -> Needs { self.parts.needs(now: now) }

  func feed(of holder: Holder) -> FixFeedKey? { self.parts.feed(of: holder) }

  func mayWake(_ unit: String, _ principal: Principal) -> Bool { self.parts.mayWake(unit, principal) }

  func isWaiting(_ name: DurableName) -> Bool { self.parts.isWaiting(name) }

  func regions(of holder: Holder, atMost limit: Int, now: Instant) -> (regions: [RegionInfo], omitted: Int) {
    self.parts.regions(of: holder, atMost: limit, now: now)
  }
}

/// What a user holds.
struct Holdings: Hashable {
  var requests = 0
  var subscriptions = 0
  var statuses = 0
  var deferred = 0
  var regions = 0
  var corners = 0
}

/// What all users hold.
struct HoldingsLedger: Hashable {
  var requests = Tally()
  var subscriptions = Tally()
  var statuses = Tally()
  var deferred = Tally()
  var regions = Tally()
  var corners = Tally()

  subscript(user: UInt32) -> Holdings {
    Holdings(
      requests: self.requests[user], subscriptions: self.subscriptions[user], statuses: self.statuses[user],
      deferred: self.deferred[user], regions: self.regions[user], corners: self.corners[user])
  }

  var total: Holdings {
    Holdings(
      requests: self.requests.total, subscriptions: self.subscriptions.total, statuses: self.statuses.total,
      deferred: self.deferred.total, regions: self.regions.total, corners: self.corners.total)
  }
}

extension DurableNames {
  var isEmpty: Bool { self.count == 0 }
}

extension ClientTable {
  var all: [Client] { self.ids.compactMap { self[$0] } }
}
