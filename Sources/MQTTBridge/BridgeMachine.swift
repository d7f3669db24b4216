package import PositionClient
package import Positioning

/// What happens to the bridge.
package enum BridgeEvent: Sendable {
  /// The first of all.
  case started
  /// The MQTT broker has accepted the connection.
  case connected
  /// The connection to the MQTT broker could not be made, or has ended.
  case failed(MQTTFailure)
  /// The MQTT broker has confirmed the message of this number.
  case confirmed(Int)
  /// Everything is registered with positiond under the durable name, whose newest event has this number.
  case registered(lastEvent: Int)
  /// positiond delivers events from now on, on a first or a new connection, and the newest has this number.
  case attached(lastEvent: Int)
  /// What positiond lets the bridge know from now on; `nil`: nothing.
  case permitted(Precision?)
  /// An event of the durable name, or of its connection.
  case happened(DurableEvent)
  /// The session with positiond has ended, for this reason.
  case sessionFailed(String)
  /// positiond's status has changed.
  case status(DaemonStatus)
  /// positiond has acknowledged the events up to this one.
  case acknowledged(Int)
  /// The moment of `BridgeAction.wait` has come.
  case timeReached
}

/// What the bridge is to do.
enum BridgeAction: Sendable {
  /// Connect to the MQTT broker: `connected` or `failed` follows.
  case connect
  /// Drop the connection to the MQTT broker, or the attempt. Nothing follows.
  case disconnect
  /// Publish with QoS 1: `confirmed` follows, or `failed`.
  case publish(number: Int, MQTTMessage)
  /// Connect to positiond and register: `registered` or `sessionFailed` follows.
  case beginSession
  /// Disconnect from positiond. Nothing follows.
  case endSession
  /// Take the events of the durable name and the status, from now until the session's end: `attached` follows.
  ///
  /// - `since`: Events up to this one are taken already.
  case attach(since: Int?)
  /// Acknowledge the events up to this one: `acknowledged` or `sessionFailed` follows, or the connection to positiond is
  /// lost.
  case acknowledge(through: Int)
  /// Send `timeReached` at this moment; `nil`: never. The last one counts.
  case wait(until: Instant?)
  case log(LogLevel, String)
}

/// Decides when to connect to the MQTT broker, when to take events of positiond, what to publish, and when to
/// acknowledge.
///
/// Events are taken only while the MQTT broker is connected. While it is away they wait with positiond, on the disk and
/// within its limits, and the bridge holds none; an event is acknowledged once the MQTT broker has confirmed all its
/// messages. So none is lost, and after an outage of either side those that were not confirmed come again.
struct BridgeMachine {
  /// The time in which the MQTT broker must accept a connection, and confirm a message.
  static let brokerTimeout = Duration.seconds(60)
  /// The pause before the session with positiond is made again after a failure.
  static let sessionPause = Duration.seconds(30)

  private enum Link: Hashable {
    case idle
    case connecting(since: Instant)
    case connected
  }

  private enum Session: Hashable {
    case idle
    /// It begins again at this moment.
    case waiting(until: Instant)
    case registering
    case registered
    case attached
  }

  private let messages: BridgeMessages
  private var link = Link.idle
  private var session = Session.idle
  private var reconnection = Reconnection(longest: .seconds(60))
  private var delivery = MQTTDelivery()
  /// The newest event that positiond has acknowledged, on this session.
  private var acknowledged = 0
  /// Whether events are delivered on a connection, and no acknowledgement is on its way. Without a connection none is sent:
  /// positiond may have lost its store, and an old number would be that of a new event.
  private var mayAcknowledge = false
  /// The newest status that was published on this connection.
  private var publishedStatus: MQTTMessage?
  private var status: MQTTMessage?
  /// What positiond permits; absent until it has said so.
  private var permitted: Precision??
  /// The most that the MQTT broker may keep of the position. What an earlier run has published is not known.
  private var kept: Precision? = .precise
  /// The messages that remove it and are not confirmed, by their numbers; those that wait have none.
  private var withdrawals: (waiting: Int, sent: Set<Int>) = (0, [])
  /// What was reported last, so that a lasting failure is reported once.
  private var linkReport: String?
  private var sessionReport: String?

  init(_ messages: BridgeMessages) { self.messages = messages }

  /// How many messages wait for the MQTT broker or its confirmation.
  var unconfirmed: Int { self.delivery.count }

  // MARK: Events

  /// - Parameters:
  ///   - now: The moment on both clocks.
  ///   - jitter: From 0 to 1, different each time.
  /// - Returns: What to do, in order.
  mutating func handle(_ event: BridgeEvent, at now: WallMoment, jitter: Double) -> [BridgeAction] {
    self.react(to: event, at: now, jitter: jitter) + self.settle(at: now)
  }

  private mutating func react(to event: BridgeEvent, at now: WallMoment, jitter: Double) -> [BridgeAction] {
    let instant = now.instant
    switch event {
    case .started: return self.beginSession() + self.connect(now: instant)
    case .connected: return self.connected(now: instant)
    case .failed(let failure): return self.failed(failure, now: instant, jitter: jitter)
    case .confirmed(let number):
      self.delivery.confirmed(number)
      self.withdrawals.sent.remove(number)
      return []
    case .permitted(let precision):
      self.permitted = .some(precision)
      // positiond drops what it has for the bridge as well.
      self.delivery.withhold(above: precision)
      return []
    case .registered(let lastEvent):
      self.delivery.restart(ifAfter: lastEvent)
      self.session = .registered
      return []
    case .attached(let lastEvent):
      self.delivery.restart(ifAfter: lastEvent)
      self.acknowledged = min(self.acknowledged, lastEvent)
      self.mayAcknowledge = true
      return []
    case .happened(let event): return self.happened(event, at: now)
    case .sessionFailed(let words): return self.endSession(words, now: instant)
    case .status(let status):
      self.status = self.messages.status(status, now: instant)
      return []
    case .acknowledged(let id):
      self.mayAcknowledge = true
      self.acknowledged = max(self.acknowledged, id)
      return []
    case .timeReached: return self.timeReached(now: instant, jitter: jitter)
    }
  }

  // MARK: The MQTT broker

  private mutating func connect(now: Instant) -> [BridgeAction] {
    self.link = .connecting(since: now)
    return [.connect]
  }

  private mutating func connected(now: Instant) -> [BridgeAction] {
    guard case .connecting = self.link else { return [] }
    self.link = .connected
    self.reconnection.established(now: now)
    self.linkReport = nil
    self.publishedStatus = nil
    self.delivery.add(self.messages.greeting)
    return [.log(.notice, "connected to the MQTT broker")]
  }

  private mutating func failed(_ failure: MQTTFailure, now: Instant, jitter: Double) -> [BridgeAction] {
    guard self.link != .idle else { return [] }
    self.link = .idle
    self.reconnection.failed(now: now, isAlone: false, jitter: jitter)
    self.delivery.forget()
    // Whether the removing messages arrived is not known.
    if self.withdrawals.waiting > 0 || !self.withdrawals.sent.isEmpty { self.kept = .precise }
    self.withdrawals = (0, [])
    let report = "\(failure)"
    let isNew = self.linkReport != report
    self.linkReport = report
    let log: [BridgeAction] = isNew ? [.log(.warning, "\(report); events wait with positiond until it is back")] : []
    // A new session, because the old one would go on taking events.
    return [.disconnect] + log + (self.session == .attached ? [.endSession] + self.beginSession() : [])
  }

  // MARK: positiond

  private mutating func beginSession() -> [BridgeAction] {
    self.session = .registering
    self.acknowledged = 0
    self.mayAcknowledge = false
    self.delivery.forgetEvents()
    return [.beginSession]
  }

  private mutating func endSession(_ words: String, now: Instant) -> [BridgeAction] {
    self.session = .waiting(until: now + Self.sessionPause)
    self.mayAcknowledge = false
    self.delivery.forgetEvents()
    let isNew = self.sessionReport != words
    self.sessionReport = words
    return [.endSession] + (isNew ? [.log(.error, words)] : [])
  }

  private mutating func happened(_ event: DurableEvent, at now: WallMoment) -> [BridgeAction] {
    guard self.session == .attached else { return [] }
    if let content = event.content {
      let messages = self.messages.messages(for: content, at: now)
      if let id = event.id { self.delivery.add(messages, event: id) } else { self.delivery.add(messages) }
      return []
    }
    switch event.reason {
    case .overflow?:
      return [
        .log(
          .warning,
          "\(event.dropped) events were dropped, because the MQTT broker was away for long; max-inbox-events= in"
            + " positiond.conf says how many positiond keeps")
      ]
    case .replaced?:
      return [.log(.error, "another program takes the events of the durable name; give each bridge its own durable=")]
    case .removed?: return [.log(.warning, "the durable name was removed; it is registered again")]
    case .disconnected?:
      self.mayAcknowledge = false
      return [.log(.warning, "positiond is away")]
    case .reconnected?: return [.log(.notice, "positiond is back")]
    case .suspended?:
      return [.log(.warning, "positiond does not permit this any more; \"positionctl doctor\" says why")]
    default: return []
    }
  }

  // MARK: What follows

  private mutating func settle(at now: WallMoment) -> [BridgeAction] {
    var actions: [BridgeAction] = []
    if self.link == .connected {
      if self.session == .registered {
        self.session = .attached
        self.sessionReport = nil
        // Attaching acknowledges these.
        self.acknowledged = self.delivery.takenThrough ?? 0
        actions.append(.attach(since: self.delivery.takenThrough))
      }
      if let status, status != self.publishedStatus {
        self.publishedStatus = status
        self.delivery.add([status])
      }
      actions += self.withdraw()
      for (number, message) in self.delivery.send(now: now.instant) {
        actions.append(.publish(number: number, message))
        self.noteSent(message, number)
      }
    }
    if let taken = self.delivery.takenThrough, taken > self.acknowledged, self.mayAcknowledge {
      self.mayAcknowledge = false
      actions.append(.acknowledge(through: taken))
    }
    actions.append(.wait(until: self.deadline))
    return actions
  }

  /// Removes from the MQTT broker what may not be known any more, before anything else is published.
  private mutating func withdraw() -> [BridgeAction] {
    guard let permitted, let kept, permitted.map({ kept > $0 }) ?? true else { return [] }
    let messages = self.messages.withdrawal
    self.delivery.addFirst(messages)
    self.kept = nil
    self.withdrawals.waiting += messages.count
    let rest = permitted == nil ? "no position" : "no more than the reduced position"
    return [.log(.notice, "positiond permits \(rest); what the MQTT broker may have kept of the position is removed")]
  }

  private mutating func noteSent(_ message: MQTTMessage, _ number: Int) {
    if self.messages.withdrawal.contains(message) {
      self.withdrawals.waiting -= 1
      self.withdrawals.sent.insert(number)
    } else if let reveals = message.reveals, message.isRetained {
      self.kept = max(self.kept ?? reveals, reveals)
    }
  }

  private var deadline: Instant? {
    let link: Instant? =
      switch self.link {
      case .idle: self.reconnection.nextAttempt
      case .connecting(let since): since + Self.brokerTimeout
      case .connected: self.delivery.oldest.map { $0 + Self.brokerTimeout }
      }
    guard case .waiting(let until) = self.session else { return link }
    return link.map { min($0, until) } ?? until
  }

  private mutating func timeReached(now: Instant, jitter: Double) -> [BridgeAction] {
    var actions: [BridgeAction] = []
    switch self.link {
    case .idle where self.reconnection.nextAttempt <= now: actions += self.connect(now: now)
    case .connecting(let since) where since + Self.brokerTimeout <= now:
      actions += self.failed(.silent("it did not accept the connection"), now: now, jitter: jitter)
    case .connected:
      if let oldest = self.delivery.oldest, oldest + Self.brokerTimeout <= now {
        actions += self.failed(.silent("it did not confirm a message"), now: now, jitter: jitter)
      }
    case .idle, .connecting: break
    }
    if case .waiting(let until) = self.session, until <= now { actions += self.beginSession() }
    return actions
  }
}
