import Positioning

@testable import Broker

/// The parts of the machine that tests read.
extension BrokerMachine {
  var planner: DemandPlanner { self.demand }
  var statusReporter: StatusReporter { self.status }

  var current: Fix? { self.receiver.current }
  var availability: Availability { self.receiver.availability }
  var requestCount: Int { self.calls.count }
  var subscriptionCount: Int { self.subscriptions.count }
  var subscriptionIDs: [SubscriptionID] { self.subscriptions.ids }

  var requests: [PendingRequest] {
    self.calls.ids.compactMap { if case .fix(let request) = self.calls[$0] { request } else { nil } }
  }
  var awaitingCalls: [AwaitingCall] {
    self.calls.ids.compactMap {
      if case .awaitingAuthorization(let awaiting) = self.calls[$0] { awaiting } else { nil }
    }
  }
  var positions: [PositionSubscription] { self.subscriptionIDs.compactMap { self.subscriptions.position($0) } }
  var statuses: [StatusSubscription] {
    self.subscriptionIDs.compactMap {
      if case .status(let status) = self.subscriptions[$0] { status } else { nil }
    }
  }

  var holdings: AllHoldings {
    AllHoldings(
      requests: self.calls.users, subscriptions: self.subscriptions.ofClients,
      statuses: self.subscriptions.statuses, deferred: self.subscriptions.deferred,
      regions: self.feeds.holdings.regions, corners: self.feeds.holdings.corners)
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
struct AllHoldings: Hashable {
  var requests = UserCounts()
  var subscriptions = UserCounts()
  var statuses = UserCounts()
  var deferred = UserCounts()
  var regions = UserCounts()
  var corners = UserCounts()

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
