import Positioning

/// A subscription of any kind.
enum Subscription: Grouped {
  /// Indirect, since it is many times as large as the others.
  indirect case position(PositionSubscription)
  case sky(SkySubscription)
  case heading(HeadingSubscription)
  case status(StatusSubscription)
  case visits(VisitSubscription)

  /// What it listens to.
  enum Channel: Hashable, Sendable {
    /// With the feed by whose fixes it is judged; `nil`: its holder may know none.
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

  /// When it wants to be asked again.
  var deadline: Instant? {
    switch self {
    case .position(let position): position.nextDeadline
    case .heading(let heading): heading.isSuspended ? nil : heading.nextDeadline
    case .sky, .status, .visits: nil
    }
  }

  /// Whether it needs the receiver, and when. All that wait for visits need it together.
  var need: Need {
    switch self {
    case .position(let position): position.need
    case .sky(let sky): sky.isSuspended ? .none : .now
    case .heading(let heading): heading.isSuspended ? .none : .now
    case .status, .visits: .none
    }
  }

  /// What it asks of the receiver while it needs it, and the call by which it does.
  var demand: (what: String, Demand)? {
    switch self {
    case .position(let position): position.demand.map { ("position.subscribe", $0) }
    case .sky(let sky): sky.isSuspended ? nil : ("sky.subscribe", sky.demand)
    case .heading(let heading): heading.isSuspended ? nil : ("heading.subscribe", heading.demand)
    case .status, .visits: nil
    }
  }

  /// - Parameter availability: what stands between its client and the receiver.
  func info(availability: Availability) -> SubscriptionInfo {
    switch self {
    case .position(let position): position.info
    case .sky(let sky): sky.info(availability: availability)
    case .heading(let heading): heading.info(availability: availability)
    case .status(let status):
      SubscriptionInfo(
        id: status.id, kind: .status, state: .delivering, availability: availability, updates: status.updates)
    case .visits(let visits):
      SubscriptionInfo(
        id: visits.id, kind: .visits, state: visits.feed?.precision == .precise ? .waiting : .suspended,
        availability: availability, updates: visits.updates)
    }
  }
}

extension PositionSubscription: Grouped {
  var group: FixFeedKey? { self.feed }
}

/// One kind of subscription, other than to positions.
protocol SubscriptionKind: Sendable {
  var subscription: Subscription { get }

  /// `nil`: it is of another kind.
  init?(_ subscription: Subscription)
}

extension SkySubscription: SubscriptionKind {
  var subscription: Subscription { .sky(self) }

  init?(_ subscription: Subscription) {
    guard case .sky(let sky) = subscription else { return nil }
    self = sky
  }
}

extension HeadingSubscription: SubscriptionKind {
  var subscription: Subscription { .heading(self) }

  init?(_ subscription: Subscription) {
    guard case .heading(let heading) = subscription else { return nil }
    self = heading
  }
}

extension StatusSubscription: SubscriptionKind {
  var subscription: Subscription { .status(self) }

  init?(_ subscription: Subscription) {
    guard case .status(let status) = subscription else { return nil }
    self = status
  }
}

extension VisitSubscription: SubscriptionKind {
  var subscription: Subscription { .visits(self) }

  init?(_ subscription: Subscription) {
    guard case .visits(let visits) = subscription else { return nil }
    self = visits
  }
}
