import Positioning

@testable import Broker

extension [Action] {
  /// The answers to one call.
  func answers(to call: CallID) -> [Answer] {
    self.compactMap { action in
      if case .answer(call, let answer) = action { answer } else { nil }
    }
  }

  /// The outcome of the one-shot request; `nil` while it is pending.
  func outcome(of call: CallID) -> FixResult? {
    for case .fix(let outcome) in self.answers(to: call) { return outcome }
    return nil
  }

  func updates(of number: Int = 1, client: UInt64 = 1) -> [PositionUpdate] {
    let id = SubscriptionID(client: ClientID(client), number: number)
    return self.compactMap { action in
      if case .notify(_, .position(id, let update)) = action { update } else { nil }
    }
  }

  /// The fixes delivered to a subscription, without heartbeats.
  func fixes(of number: Int = 1, client: UInt64 = 1) -> [Fix] {
    self.updates(of: number, client: client).filter { !$0.isRepeat }.compactMap(\.fix)
  }

  func reasons(of number: Int = 1, client: UInt64 = 1) -> [DeliveryReason] {
    self.updates(of: number, client: client).compactMap(\.reason)
  }

  func endings(of number: Int = 1, client: UInt64 = 1) -> [EndReason] {
    let id = SubscriptionID(client: ClientID(client), number: number)
    return self.compactMap { action in
      if case .notify(_, .ended(id, let reason)) = action { reason } else { nil }
    }
  }

  var skies: [Sky] {
    self.compactMap { action in
      if case .notify(_, .sky(_, let sky)) = action { sky } else { nil }
    }
  }

  var statusParts: [[DaemonStatus.Part]] {
    self.compactMap { action in
      if case .notify(_, .status(_, _, let parts)) = action { parts } else { nil }
    }
  }

  /// The events of regions, durable or not.
  var regionEvents: [RegionEvent] {
    self.compactMap { action in
      switch action {
      case .notify(_, .region(let event)): return event
      case .notify(_, .durable(_, let event)):
        if case .region(let event) = event.content { return event }
        return nil
      default: return nil
      }
    }
  }

  var visits: [Visit] {
    self.compactMap { action in
      if case .notify(_, .visit(_, let visit)) = action { visit } else { nil }
    }
  }

  /// The durable events that a client is sent.
  func durableEvents(client: UInt64 = 1) -> [DurableEvent] {
    self.compactMap { action in
      if case .notify(ClientID(client), .durable(_, let event)) = action { event } else { nil }
    }
  }

  /// The numbers of lost events of which clients are notified.
  var overflows: [Int] {
    self.compactMap { action in
      if case .notify(_, .durableOverflow(_, let dropped)) = action { dropped } else { nil }
    }
  }

  var startedUnits: [String] {
    self.compactMap { action in
      if case .startUnit(let unit, _) = action { unit } else { nil }
    }
  }

  var receiverOrders: [Bool] {
    self.compactMap { action in
      if case .setReceiver(let on) = action { on } else { nil }
    }
  }
}
