import Geodesy
import Positioning

@testable import Broker

/// An attacker with ten users who connects again and again, sends all requests, and combines the answers to locate the
/// device.
struct PositionAttacker {
  static let users: UInt32 = 10

  private(set) var estimator = PositionEstimator()
  /// All places that were received.
  private(set) var places: Set<Coordinate> = []
  private(set) var calls = 0
  private(set) var refusals = 0
  /// Data that revealed more than a reduced position.
  private(set) var leaks: [String] = []
  private var circles: [String: (center: Coordinate, radius: Double)] = [:]
  private var random: SeededRandom
  private var question: Coordinate

  init(seed: UInt64, near place: Coordinate) {
    self.random = SeededRandom(seed: seed)
    self.question = place
  }

  /// One connection: each request is sent once, and the answers are collected.
  mutating func visit(_ daemon: inout VirtualDaemon, number: UInt64, meanwhile: (inout VirtualDaemon) -> [Action]) {
    let client = 1000 + number
    daemon.connect(client, uid: 2000 + UInt32(number) % Self.users)
    if number.isMultiple(of: 40) { self.think(number) }
    for call in self.everything(number) {
      let (id, actions) = daemon.call(call, client: client)
      self.calls += 1
      if case .failed? = actions.answers(to: id).first { self.refusals += 1 }
      self.hear(actions, now: daemon.now)
    }
    self.hear(meanwhile(&daemon), now: daemon.now)
    for call in [Call.listRegions(), .listRegions(durable: "spy"), .listDurables(), .lastFix()] {
      self.hear(daemon.call(call, client: client).actions, now: daemon.now)
    }
    daemon.send(.clientDisconnected(ClientID(client)))
  }

  /// Chooses the next request so that it halves the remaining area.
  private mutating func think(_ number: UInt64) {
    let radius = self.radius(number)
    if let next = self.estimator.question(radius: radius, bearing: Double(number % 360)) { self.question = next }
  }

  private func radius(_ number: UInt64) -> Double { [4000, 4500, 8000, 20_000][Int(number / 40 % 4)] }

  private mutating func everything(_ number: UInt64) -> [Call] {
    let timeout = Duration.seconds(Double.random(in: 1...20, using: &self.random))
    let spy = DurableRequest(name: "spy")
    let regions = [100, 3999, self.radius(number), 50_000].map { radius -> Region in
      let id = "\(number)-\(radius)"
      let center = radius < 4000 ? self.question : self.moved(number)
      self.circles[id] = (center, radius)
      return Region(
        id: id, shape: .circle(center: center, radius: radius), notify: [.enter, .exit, .crossed], initial: .always)
    }
    return [
      .getFix(FixRequest(timeout: timeout)), .getFix(FixRequest(accuracy: .level(.room), timeout: timeout)),
      .getFix(FixRequest(accuracy: .meters(2000), acceptableAccuracy: .meters(1), timeout: timeout)),
      .getFix(FixRequest(maximumAge: .zero, timeout: .milliseconds(100))), .lastFix(),
      .subscribe(SubscriptionParameters(minInterval: .zero, maxInterval: .milliseconds(100), replay: .any)),
      .subscribe(SubscriptionParameters(mode: .passive, minInterval: .zero, onlyBetterThan: 2000, replay: .any)),
      .subscribe(SubscriptionParameters(mode: .deferred, minInterval: .zero, deferredTimeout: .seconds(1))),
      .subscribe(
        SubscriptionParameters(
          mode: .significant, significantDistance: 1, significantInterval: .seconds(1),
          acquire: Acquisition(budget: .seconds(1), desiredAccuracy: 1, acceptableAccuracy: nil))
      ),
      .subscribe(SubscriptionParameters(mode: .significant, significantDistance: 1), durable: spy),
      .sky(), .subscribeSky(minInterval: .zero), .getHeading(HeadingRequest()), .subscribeHeading(HeadingParameters()),
      .subscribeVisits(), .status(), .subscribeStatus(), .listSubscriptions(), .listRequests(), .authorization(),
      .listClients(), .listGrants(), .setEnabled(true), .attachDurable(name: "spy", sinceEvent: nil),
    ] + regions.map { .addRegion($0) } + [.addRegion(regions[2], durable: spy)]
      + regions.map { .regionState(id: $0.id) } + [.commandSubscription(number: 1, .acquire)]
  }

  /// The request at a slightly different place, so that no two regions are equal.
  private mutating func moved(_ number: UInt64) -> Coordinate {
    Geodesy.moved(
      self.question, east: Double.random(in: -300...300, using: &self.random),
      north: Double.random(in: -300...300, using: &self.random))
  }

  // MARK: Received data

  private mutating func hear(_ actions: [Action], now: Instant) {
    for action in actions {
      switch action {
      case .answer(_, let answer):
        if answer.sensitivity == .precise { self.leaks.append("\(answer)") }
        self.hear(answer, now: now)
      case .notify(_, let notification):
        if notification.sensitivity == .precise { self.leaks.append("\(notification)") }
        self.hear(notification, now: now)
      default: break
      }
    }
  }

  private mutating func hear(_ answer: Answer, now: Instant) {
    switch answer {
    case .fix(let outcome): self.hear(outcome.fix)
    case .lastFix(let last): self.hear(last.fix)
    case .regions(let page): for region in page.regions { self.hear(region.state, region.region.id, now: now) }
    case .durables(let names):
      for region in names.flatMap(\.regions) { self.hear(region.state, region.region.id, now: now) }
    default: break
    }
  }

  private mutating func hear(_ notification: Notification, now: Instant) {
    switch notification {
    case .position(_, let update): self.hear(update, now: now)
    case .region(let event): self.hear(event, now: now)
    case .durable(_, let event):
      switch event.content {
      case .position(let update): self.hear(update, now: now)
      case .region(let event): self.hear(event, now: now)
      case .visit(let visit): self.estimator.received(distance: 0, from: visit.coordinate, margin: 100, at: now)
      }
    case .visit(_, let visit): self.estimator.received(distance: 0, from: visit.coordinate, margin: 100, at: now)
    default: break
    }
  }

  private mutating func hear(_ update: PositionUpdate, now: Instant) {
    self.hear(update.fix)
    for fix in update.fixes { self.hear(fix) }
  }

  private mutating func hear(_ event: RegionEvent, now: Instant) {
    self.hear(event.fix)
    self.hear(event.state, event.id, now: now)
  }

  private mutating func hear(_ fix: Fix?) {
    guard let fix else { return }
    if self.places.insert(fix.coordinate).inserted { self.estimator.received(fix) }
  }

  private mutating func hear(_ state: RegionState, _ id: String, now: Instant) {
    guard let circle = self.circles[id] else { return }
    // A state takes some metres to be decided.
    self.estimator.received(state, ofCircle: circle.center, radius: circle.radius, margin: 20, at: now)
  }
}
