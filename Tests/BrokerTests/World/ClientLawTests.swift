import Positioning
import TestSupport
import Testing

@testable import Broker

/// Every law of `ClientInvariants` notices the broker that breaks it: the laws are shown turns with one error each.
@Suite struct ClientLawTests {
  @Test("Each law of a client's view fires when it is broken")
  func fires() {
    var unnoticed = Array(BrokenLaw.all.enumerated())
    // Some cases occur in few worlds only.
    for seed in 1...24 as ClosedRange<UInt64> where !unnoticed.isEmpty {
      var world = World.clients(seed: seed) { settings in
        [
          MisledLaws(
            unnoticed.map {
              ($0.offset, MisledInvariants(laws: ClientInvariants(settings: settings), broken: $0.element))
            })
        ]
      }
      for _ in 0..<20 where world.invariant(MisledLaws.self).isAnyLeft { world.run(steps: 50) }
      let noticed = world.invariant(MisledLaws.self).noticed
      unnoticed.removeAll { noticed.contains($0.offset) }
    }
    #expect(unnoticed.map(\.element.violation) == [])
  }
}

/// All laws in one world, each with a changed input, until it notices.
private struct MisledLaws: Invariant {
  var violations: [String] = []
  /// By number.
  private(set) var noticed: Set<Int> = []
  private var laws: [(number: Int, law: MisledInvariants)]

  init(_ laws: [(Int, MisledInvariants)]) { self.laws = laws }

  var isAnyLeft: Bool { !self.laws.isEmpty }

  mutating func turned(_ turn: ObservedTurn, _ machine: BrokerMachine, _ store: StoreModel) {
    for place in self.laws.indices {
      self.laws[place].law.turned(turn, machine, store)
      if self.laws[place].law.isNoticed { self.noticed.insert(self.laws[place].number) }
      self.laws[place].law.violations = []
    }
    self.laws.removeAll { self.noticed.contains($0.number) }
  }

  mutating func killed() {
    for place in self.laws.indices { self.laws[place].law.killed() }
  }
}

/// The invariants of clients with a changed input.
private struct MisledInvariants: Invariant {
  var laws: ClientInvariants
  let broken: BrokenLaw
  private var turns = 0
  private var earlier: BrokerMachine?

  init(laws: ClientInvariants, broken: BrokenLaw) {
    self.laws = laws
    self.broken = broken
  }

  var violations: [String] {
    get { self.laws.violations }
    set { self.laws.violations = newValue }
  }

  /// Whether the broken law reports its violation.
  var isNoticed: Bool { self.violations.contains { $0.contains(self.broken.violation) } }

  mutating func turned(_ turn: ObservedTurn, _ machine: BrokerMachine, _ store: StoreModel) {
    self.turns += 1
    if self.earlier == nil, machine.current != nil { self.earlier = machine }
    let isEarlier = self.broken.showsEarlierMachine && self.turns.isMultiple(of: 2)
    self.laws.turned(self.broken.change(turn), isEarlier ? self.earlier ?? machine : machine, store)
  }

  mutating func killed() { self.laws.killed() }
}

/// A law, and a change of the broker's actions that breaks it.
struct BrokenLaw: Sendable {
  /// The law's message then, or a part of it.
  let violation: String
  var showsEarlierMachine = false
  var change: @Sendable (ObservedTurn) -> ObservedTurn = { $0 }

  static let all = Self.updates + Self.headings + Self.answers + Self.turns

  // MARK: Updates of positions

  private static let fix = Fix(latitude: 50, longitude: 8, arrival: at(1000))

  private static let updates: [BrokenLaw] = [
    .repeating("lost twice") { $0.reason == .lost },
    .dropping("restored without a loss") { $0.reason == .lost },
    .updates("available, not restored") { if $0.reason == .restored { $0.reason = .available } },
    .updates("a reason with a fix") { if $0.reason == .lost { $0.fix = Self.fix } },
    .updates("an update about nothing") { if $0.reason == nil, !$0.isRepeat { $0.fix = nil } },
    .notifications("a fix to a subscription of something else") { notification in
      guard case .sky(let id, _) = notification else { return [notification] }
      return [
        .position(id, PositionUpdate(fix: Self.fix, availability: .available))
      ]
    },
    .subscribing("a fix after the end") { $0.duration = .milliseconds(1) },
    .subscribing("more than 1 updates") { $0.maxUpdates = 1 },
    .updates("no number in a fix") { $0.fix?.speed = .nan },
    .updates("an accuracy of") { $0.fix?.horizontalAccuracy = 0 },
    .subscribing("not better") { $0.onlyBetterThan = 0.001 },
    .updates("a wrong level") { $0.achievedAccuracy = $0.achievedAccuracy == .house ? .room : .house },
    .dropping("a fix between lost and restored") { $0.reason == .restored },
    .updates("a stale fix as a heartbeat") { if $0.isRepeat { $0.availability = .stale } },
    .updates("a heartbeat without the newest fix") { if $0.isRepeat { $0.fix = nil } },
    .updates("a replay after a delivery") { if $0.fix != nil, !$0.isRepeat { $0.isReplay = true } },
    .repeating("an epoch twice") { $0.fix != nil && !$0.isRepeat && !$0.isReplay },
    .subscribing("too soon, or back in arrival") { $0.minInterval = .seconds(3600) },
    .subscribing("too close") { $0.minDistance = 1e8 },
    .updates(", not ") { $0.availability = $0.availability == .available ? .searching : .available },
    .notifications("a notification to another client") {
      [$0]
    } client: { _ in
      ClientID(999_999)
    },
    .notifications("an event before the reply, or after the end") { notification in
      guard case .position(let id, let update) = notification else { return [notification] }
      return [.position(SubscriptionID(holder: id.holder, number: 999_999), update)]
    },
    .notifications(" ended as ") { notification in
      guard case .ended(let id, _) = notification else { return [notification] }
      return [.ended(id, .unavailable)]
    },
  ]

  // MARK: Updates of headings

  private static let headings: [BrokenLaw] = [
    .repeatingHeading("an update after unavailable") { $0.state == .unavailable },
    .headings("does not go with the heading") { $0.heading = nil },
    .headings("a heartbeat that changes the state") {
      guard $0.isRepeat else { return }
      $0.state = .invalid
      $0.heading = nil
    },
    .subscribingHeading("a heartbeat that nobody asked for") { $0.maxInterval = nil },
    .repeatingHeading("an update about nothing") { $0.state == .invalid && !$0.isRepeat },
    .repeatingHeading("a heading twice, or back in arrival") { $0.heading != nil && !$0.isRepeat },
    .subscribingHeading("too soon") { $0.minInterval = .seconds(3600) },
    .subscribingHeading("turned by") { $0.minChange = 180 },
    .headings("a heading without a direction") {
      $0.heading?.trueHeading = nil
      $0.heading?.magneticHeading = nil
    },
    .headings("no direction: ") { $0.heading?.trueHeading = 360 },
    .headings("a course from magnetic north") {
      $0.heading?.source = .course
      $0.heading?.trueHeading = nil
      $0.heading?.magneticHeading = 5
    },
    .headingAnswers("a heading was not waited for") { $0.heading = nil },
    .headingAnswers("a heading that is too old") { $0.heading?.arrival = at(0) },
    .notifications("unavailable, and not ended") { notification in
      if case .ended(_, .unavailable) = notification { [] } else { [notification] }
    },
  ]

  // MARK: Answers

  private static let answers: [BrokenLaw] = [
    .answers("no answer in the same turn") { if case .lastFix = $0 { nil } else { $0 } },
    .answers(" is late") { if case .fix = $0 { nil } else { $0 } },
    .answers(" was cancelled by somebody else") { if case .fix = $0 { .failed(.cancelled) } else { $0 } },
    .answers(" does not answer ") { if case .fix = $0 { .heading(HeadingResult()) } else { $0 } },
    .answers("another subscription was cancelled") { answer in
      guard case .subscription(.changed(var info)) = answer else { return answer }
      info.number = 999_999
      return .subscription(.changed(info))
    },
    .fixAnswers("satisfied with inf") {
      $0.isSatisfied = true
      $0.fix = nil
    },
    .fixAnswers("satisfied with a fix that is too old") { if $0.isSatisfied { $0.fix?.arrival = at(0) } },
    .fixAnswers("success with ") { if $0.status == .timedOut { $0.status = .success } },
    .fixAnswers("ended with a fix that is too old") { if !$0.isSatisfied { $0.fix?.arrival = at(0) } },
    .fixAnswers("a wrong level") { $0.achievedAccuracy = $0.achievedAccuracy == .house ? .room : .house },
    .fixAnswers("a wrong time elapsed") { $0.elapsed += .seconds(1) },
  ]

  // MARK: Whole turns

  private static let turns: [BrokenLaw] = [
    BrokenLaw(violation: "the current fix went back in arrival", showsEarlierMachine: true),
    .notifications("the machine forgot a subscription, or kept one") { notification in
      if case .ended = notification { [] } else { [notification] }
    },
    BrokenLaw(violation: "the receiver should be ") { $0.changing(isReceiverOn: !$0.isReceiverOn) },
    BrokenLaw(violation: "a timer is armed while idle") { turn in
      turn.isReceiverOn ? turn : turn.changing(armed: turn.now + .seconds(3600))
    },
  ]
}

// MARK: Changes of turns

extension ObservedTurn {
  fileprivate func changing(
    event: BrokerEvent? = nil, actions: [Action]? = nil, armed: Instant? = nil, isReceiverOn: Bool? = nil
  ) -> ObservedTurn {
    ObservedTurn(
      event: event ?? self.event, actions: actions ?? self.actions, now: self.now, armed: armed ?? self.armed,
      isReceiverOn: isReceiverOn ?? self.isReceiverOn, isCommitted: self.isCommitted)
  }
}

extension BrokenLaw {
  /// Every notification is replaced by others.
  fileprivate static func notifications(
    _ violation: String, _ change: @escaping @Sendable (Notification) -> [Notification],
    client: @escaping @Sendable (ClientID) -> ClientID = { $0 }
  ) -> BrokenLaw {
    BrokenLaw(violation: violation) { turn in
      let actions = turn.actions.flatMap { action -> [Action] in
        guard case .notify(let receiver, let notification) = action else { return [action] }
        return change(notification).map { .notify(client(receiver), $0) }
      }
      return turn.changing(actions: actions)
    }
  }

  fileprivate static func updates(
    _ violation: String, _ change: @escaping @Sendable (inout PositionUpdate) -> Void
  ) -> BrokenLaw {
    .notifications(violation) { notification in
      guard case .position(let id, var update) = notification else { return [notification] }
      change(&update)
      return [.position(id, update)]
    }
  }

  /// Updates like these come twice.
  fileprivate static func repeating(
    _ violation: String, _ matches: @escaping @Sendable (PositionUpdate) -> Bool
  ) -> BrokenLaw {
    .notifications(violation) { notification in
      if case .position(_, let update) = notification, matches(update) {
        [notification, notification]
      } else {
        [notification]
      }
    }
  }

  /// Updates like these do not come.
  fileprivate static func dropping(
    _ violation: String, _ matches: @escaping @Sendable (PositionUpdate) -> Bool
  ) -> BrokenLaw {
    .notifications(violation) { notification in
      if case .position(_, let update) = notification, matches(update) { [] } else { [notification] }
    }
  }

  fileprivate static func headings(
    _ violation: String, _ change: @escaping @Sendable (inout HeadingUpdate) -> Void
  ) -> BrokenLaw {
    .notifications(violation) { notification in
      guard case .heading(let id, var update) = notification else { return [notification] }
      change(&update)
      return [.heading(id, update)]
    }
  }

  fileprivate static func repeatingHeading(
    _ violation: String, _ matches: @escaping @Sendable (HeadingUpdate) -> Bool
  ) -> BrokenLaw {
    .notifications(violation) { notification in
      if case .heading(_, let update) = notification, matches(update) {
        [notification, notification]
      } else {
        [notification]
      }
    }
  }

  /// Every answer is replaced by another, or by none.
  fileprivate static func answers(
    _ violation: String, _ change: @escaping @Sendable (Answer) -> Answer?
  ) -> BrokenLaw {
    BrokenLaw(violation: violation) { turn in
      let actions = turn.actions.compactMap { action -> Action? in
        guard case .answer(let call, let answer) = action else { return action }
        return change(answer).map { .answer(call, $0) }
      }
      return turn.changing(actions: actions)
    }
  }

  fileprivate static func fixAnswers(
    _ violation: String, _ change: @escaping @Sendable (inout FixResult) -> Void
  ) -> BrokenLaw {
    .answers(violation) { answer in
      guard case .fix(var outcome) = answer else { return answer }
      change(&outcome)
      return .fix(outcome)
    }
  }

  fileprivate static func headingAnswers(
    _ violation: String, _ change: @escaping @Sendable (inout HeadingResult) -> Void
  ) -> BrokenLaw {
    .answers(violation) { answer in
      guard case .heading(var outcome) = answer else { return answer }
      change(&outcome)
      return .heading(outcome)
    }
  }

  /// The recorded request of the client differs from the broker's.
  fileprivate static func subscribing(
    _ violation: String, _ change: @escaping @Sendable (inout SubscriptionParameters) -> Void
  ) -> BrokenLaw {
    BrokenLaw(violation: violation) { turn in
      guard case .called(let call, .subscribe(var parameters, let durable, _)) = turn.event else { return turn }
      change(&parameters)
      return turn.changing(event: .called(call, .subscribe(parameters, durable: durable)))
    }
  }

  fileprivate static func subscribingHeading(
    _ violation: String, _ change: @escaping @Sendable (inout HeadingParameters) -> Void
  ) -> BrokenLaw {
    BrokenLaw(violation: violation) { turn in
      guard case .called(let call, .subscribeHeading(var parameters, _)) = turn.event else { return turn }
      change(&parameters)
      return turn.changing(event: .called(call, .subscribeHeading(parameters)))
    }
  }
}
