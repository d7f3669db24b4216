import Broker
import EventLoop
import JSONRPC
import Positioning

/// A client of a door at which clients have no requests of the broker's: while it watches, it has one continuous
/// subscription to positions and, if it may know the precise position, to the satellites and the heading.
class StreamConnection: Connection {
  /// A subscription that a watching client has.
  private enum Channel: Hashable, CaseIterable {
    case positions, sky, headings

    func call(replay: SubscriptionParameters.Replay) -> Call {
      switch self {
      case .positions: .subscribe(SubscriptionParameters(minInterval: .zero, replay: replay))
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

  private var holdings: [Channel: Holding] = [:]
  private var lastCall: UInt64 = 0
  /// Whether the client watches.
  private(set) var isWatching = false

  /// Whether it may know the precise position.
  var isPrecise: Bool { self.limit.precision == .precise }

  // MARK: What a door does with it

  /// Which fix from before its watch a client gets first.
  var replay: SubscriptionParameters.Replay { .none }

  /// A fix, or a change of availability.
  func received(_ update: PositionUpdate) {}

  func received(_ sky: Sky) {}

  /// The newest heading; `nil` if there is none.
  func received(_ heading: Heading?) {}

  /// The client gets no positions, and why.
  func refused(_ failure: CallFailure) {}

  // MARK: Watching

  /// From now on the client needs positions.
  func beginWatch() {
    self.isWatching = true
    self.subscribe()
  }

  /// The client needs nothing any more.
  func endWatch() {
    self.isWatching = false
    let holdings = self.holdings
    self.holdings = [:]
    for channel in Channel.allCases {
      switch holdings[channel] {
      case .called(let serial): self.call(.cancelRequest(CallID(client: self.client, serial: serial)))
      case .subscribed(let number): self.call(.cancelSubscription(number: number))
      case nil: break
      }
    }
  }

  /// Makes the subscriptions that the client has not and may have.
  private func subscribe() {
    for channel in Channel.allCases where self.holdings[channel] == nil && self.isOpen {
      guard channel == .positions || self.isPrecise else { continue }
      self.holdings[channel] = .called(self.lastCall + 1)
      // A reduced fix comes once in ten minutes, so a client that comes in between gets the newest one.
      self.call(channel.call(replay: self.isPrecise ? self.replay : .fresh))
    }
  }

  /// The broker may answer within this.
  private func call(_ what: Call) {
    self.lastCall += 1
    self.server.report(.called(CallID(client: self.client, serial: self.lastCall), what))
  }

  private func channel(of serial: UInt64) -> Channel? {
    Channel.allCases.first { if case .called(serial) = self.holdings[$0] { true } else { false } }
  }

  private func channel(of subscription: SubscriptionID) -> Channel? {
    Channel.allCases.first { if case .subscribed(subscription.number) = self.holdings[$0] { true } else { false } }
  }

  override var openCalls: Int {
    self.holdings.values.count { if case .called = $0 { true } else { false } }
  }

  override func answered(_ call: CallID, _ answer: Answer) {
    guard let channel = self.channel(of: call.serial) else { return }
    if case .begun(let info)? = SubscriptionAnswer(answer) {
      self.holdings[channel] = .subscribed(info.number)
      // A reader is given at once why there is no fix, as it is with each later change.
      if channel == .positions { self.received(PositionUpdate(availability: info.availability)) }
    } else if let failure = answer.failure {
      self.holdings[channel] = nil
      // Without satellites or a heading there are still positions.
      if channel == .positions { self.refused(failure) }
    }
  }

  override func notified(_ notification: Notification) {
    switch notification {
    case .position(_, let update): self.received(update)
    case .sky(_, let sky): self.received(sky)
    case .heading(_, let update): self.received(update.heading)
    case .ended(let id, _):
      if let channel = self.channel(of: id) { self.holdings[channel] = nil }
    case .authorization: if self.isWatching { self.subscribe() }
    // Nobody asked for these on behalf of this client.
    case .status, .region, .visit, .durable, .durableOverflow, .durableEnded, .prompted: break
    }
  }

  /// The client has left, whether or not it has closed its side.
  override func receivedEnd() { self.drain() }

  /// Queues a report, of which a newer one of the same kind takes the place if the client reads too slowly.
  func enqueue(_ text: [UInt8], kind: Int, _ sensitivity: Sensitivity) {
    guard self.isOpen, !text.isEmpty else { return }
    self.enqueue(.report(text, kind: kind, sensitivity))
  }
}
