import Positioning

/// A subscription of any kind.
enum Subscription: Grouped {
  /// Indirect, like that to headings, since they are many times as large as the others.
  indirect case position(PositionSubscription)
  case sky(SkySubscription)
  indirect case heading(HeadingSubscription)
  case status(StatusSubscription)
  case visits(VisitSubscription)

  /// The reports that it needs.
  enum Channel: Hashable, Sendable {
    /// With the feed that judges it; `nil`: its holder may know none.
    case positions(FixFeedKey?)
    case visits(FixFeedKey?)
    case sky
    case headings
    case status
  }

  var group: Channel {
    switch self {
    case .position(let position): .positions(position.feed)
    case .visits(let visits): .visits(visits.feed)
    case .sky: .sky
    case .heading: .headings
    case .status: .status
    }
  }

  var id: SubscriptionID {
    switch self {
    case .position(let position): position.id
    case .sky(let sky): sky.id
    case .heading(let heading): heading.id
    case .status(let status): status.id
    case .visits(let visits): visits.id
    }
  }

  var claims: SubscriptionClaims {
    switch self {
    case .position(let position): position.claims
    case .sky(let sky): sky.isSuspended || sky.isPassive ? .nothing : SubscriptionClaims(need: .now, demand: sky.demand)
    case .heading(let heading):
      heading.isSuspended
        ? .nothing : SubscriptionClaims(deadline: heading.nextDeadline, need: .now, demand: heading.demand)
    // All subscriptions to visits share one need.
    case .status, .visits: .nothing
    }
  }

  /// The method that causes its demand on the receiver.
  var call: String {
    switch self {
    case .position: "position.subscribe"
    case .sky: "sky.subscribe"
    case .heading: "heading.subscribe"
    case .status: "status.subscribe"
    case .visits: "visit.subscribe"
    }
  }

  /// - Parameter availability: The client's.
  func info(availability: Availability) -> SubscriptionInfo {
    switch self {
    case .position(let position): position.info
    case .sky(let sky): sky.info(availability: availability)
    case .heading(let heading): heading.info(availability: availability)
    case .status(let status):
      SubscriptionInfo(
        number: status.id.number, kind: .status, state: .delivering, availability: availability, updates: status.updates
      )
    case .visits(let visits):
      SubscriptionInfo(
        number: visits.id.number, kind: .visits, state: visits.feed?.precision == .precise ? .waiting : .suspended,
        availability: availability, updates: visits.updates)
    }
  }
}

extension PositionSubscription {
  var claims: SubscriptionClaims {
    let need = self.need
    return SubscriptionClaims(
      deadline: self.nextDeadline, need: need, feed: self.feed,
      demand: need == .now || self.isRegular && need != .none ? self.demand : nil)
  }
}

extension PositionSubscription: Grouped {
  var group: FixFeedKey? { self.feed }
}
