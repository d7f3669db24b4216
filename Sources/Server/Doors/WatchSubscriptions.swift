import Broker
import JSONRPC
import Positioning

/// The subscriptions of a client whose door has no requests of the broker's: while it watches, it has a continuous one to
/// positions and, if it may know the precise position, to the satellites and the heading.
struct WatchSubscriptions {
  private enum Channel: Hashable, CaseIterable {
    case positions, sky, headings

    func call(replay: SubscriptionParameters.Replay, integrity: IntegrityDemand) -> Call {
      switch self {
      case .positions:
        .subscribe(SubscriptionParameters(minInterval: .zero, replay: replay, integrity: integrity))
      case .sky: .subscribeSky(minInterval: .zero)
      case .headings: .subscribeHeading(HeadingParameters(minChange: 0))
      }
    }
  }

  private enum Holding {
    /// The broker has not answered the call with this number.
    case called(UInt64)
    case subscribed(Int)
  }

  /// What the client is to be sent.
  enum News {
    /// A fix, or a change of availability.
    case position(PositionUpdate)
    case sky(Sky)
    /// The newest heading; `nil` if there is none.
    case heading(Heading?)
    /// The client gets no positions, and why.
    case refused(CallFailure)
  }

  /// Which fix from before its watch a client gets first.
  private let replay: SubscriptionParameters.Replay
  /// The least integrity of its fixes.
  private let integrity: IntegrityDemand
  private var holdings: [Channel: Holding] = [:]
  private var lastCall: UInt64 = 0
  private var isWatching = false

  init(replay: SubscriptionParameters.Replay, integrity: IntegrityDemand = .suspect) {
    self.replay = replay
    self.integrity = integrity
  }

  /// Whether a client gets fixes with that availability.
  func givesFixes(_ availability: Availability) -> Bool {
    availability.meansFixes || availability == .untrusted && self.integrity == .any
  }

  var openCalls: Int { self.holdings.values.count { if case .called = $0 { true } else { false } } }

  /// From now on the client needs positions.
  mutating func begin(_ client: ServedClient) -> [SpokenAction] {
    self.isWatching = true
    return self.subscribe(client)
  }

  /// Makes the subscriptions that a watching client has not and may have.
  mutating func subscribe(_ client: ServedClient) -> [SpokenAction] {
    guard self.isWatching else { return [] }
    let isPrecise = client.limit.precision == .precise
    return Channel.allCases.filter { self.holdings[$0] == nil && ($0 == .positions || isPrecise) }.map { channel in
      self.holdings[channel] = .called(self.lastCall + 1)
      // A reduced fix comes once in ten minutes, so a client that comes in between gets the newest one.
      return self.call(
        channel.call(replay: isPrecise ? self.replay : .fresh, integrity: self.integrity), client)
    }
  }

  /// The client needs nothing any more.
  mutating func end(_ client: ServedClient) -> [SpokenAction] {
    self.isWatching = false
    let holdings = self.holdings
    self.holdings = [:]
    return Channel.allCases.compactMap { channel in
      switch holdings[channel] {
      case .called(let serial): self.call(.cancelRequest(CallID(client: client.id, serial: serial)), client)
      case .subscribed(let number): self.call(.cancelSubscription(number: number), client)
      case nil: nil
      }
    }
  }

  private mutating func call(_ what: Call, _ client: ServedClient) -> SpokenAction {
    self.lastCall += 1
    return .report(.called(CallID(client: client.id, serial: self.lastCall), what))
  }

  mutating func answered(_ call: CallID, _ answer: Answer) -> News? {
    let channel = Channel.allCases.first { if case .called(call.serial) = self.holdings[$0] { true } else { false } }
    guard let channel else { return nil }
    if case .begun(let info)? = SubscriptionAnswer(answer) {
      self.holdings[channel] = .subscribed(info.number)
      // A reader is given at once why there is no fix, as it is with each later change.
      return channel == .positions ? .position(PositionUpdate(availability: info.availability)) : nil
    }
    guard let failure = answer.failure else { return nil }
    self.holdings[channel] = nil
    // Without satellites or a heading there are still positions.
    return channel == .positions ? .refused(failure) : nil
  }

  /// After a change of authorization the client may have more subscriptions than before.
  mutating func notified(_ notification: Notification, _ client: ServedClient) -> (News?, [SpokenAction]) {
    guard client.limit.allows(notification.sensitivity) else { return (nil, []) }
    switch notification {
    case .position(_, let update): return (.position(update), [])
    case .sky(_, let sky): return (.sky(sky), [])
    case .heading(_, let update): return (.heading(update.heading), [])
    case .ended(let id, _):
      for channel in Channel.allCases {
        if case .subscribed(id.number) = self.holdings[channel] { self.holdings[channel] = nil }
      }
      return (nil, [])
    case .authorization: return (nil, self.subscribe(client))
    // Nobody asked for these on behalf of this client.
    case .status, .region, .visit, .durable, .durableOverflow, .durableEnded, .prompted: return (nil, [])
    }
  }
}

extension OutboundQueue<WaitingMessage> {
  /// Adds a report, of which a newer one of the same kind takes the place if the client reads too slowly.
  mutating func append(report text: [UInt8], kind: Int, _ sensitivity: Sensitivity) {
    if !text.isEmpty { self.append(.report(text, kind: kind, sensitivity), encoded: text) }
  }
}
