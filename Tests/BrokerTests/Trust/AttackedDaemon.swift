import Geodesy
import Positioning
import ReceiverPorts

@testable import Broker
@testable import ReceiverSimulator

/// The broker with a simulated receiver, in virtual time: what the receiver sends arrives as gpsd would report it.
///
/// Somebody watches a region around the device, its visits, significant changes and every fix.
struct AttackedDaemon {
  private(set) var daemon = VirtualDaemon()
  private var simulation: Simulation
  /// The true place of the device.
  let home: Coordinate
  /// Whether the receiver says itself what it finds.
  private let speaks: Bool
  /// What clients were sent since the last call of `forget`.
  private(set) var actions: [Action] = []
  /// Fixes that are farther than that from the true place, in metres, and were delivered to the default subscription.
  private(set) var largestError = 0.0

  init(faults: [Fault] = [], seed: UInt64 = 1, speaks: Bool = false) {
    self.speaks = speaks
    let home = Coordinate(latitude: 50, longitude: 8)
    self.home = home
    self.simulation = Self.simulation(of: home, faults, seed: seed, now: self.daemon.now)
    let region = Region(
      id: "home", shape: .circle(center: home, radius: 150), notify: [.enter, .exit], initial: .ifInside)
    self.daemon.subscribe(SubscriptionParameters(replay: .none))
    self.daemon.call(
      .subscribe(
        SubscriptionParameters(
          mode: .significant, significantDistance: 150, significantInterval: .seconds(30), replay: .none)))
    self.daemon.call(.subscribeVisits(durable: nil))
    self.daemon.call(.addRegion(region, durable: nil))
  }

  private static func simulation(of place: Coordinate, _ faults: [Fault], seed: UInt64, now: Instant) -> Simulation {
    var settings = Simulation.Settings()
    settings.route = .point(place)
    settings.receiver.keepsRunning = true
    settings.receiver.firstStart = .ready
    settings.errors.noise = 1.5
    settings.errors.seed = seed
    settings.faults = faults
    return Simulation(settings: settings, at: now, utc: Timestamp(seconds: 1_700_000_000 + now.sinceBoot.seconds))
  }

  /// Another receiver takes the place of the first one, under the same path.
  mutating func swap(to place: Coordinate, clock: Duration) {
    let now = self.daemon.now
    var settings = Simulation.Settings()
    settings.route = .point(place)
    settings.receiver.keepsRunning = true
    settings.receiver.firstStart = .ready
    self.simulation = Simulation(
      settings: settings, at: now, utc: Timestamp(seconds: 1_700_000_000 + now.sinceBoot.seconds + clock.seconds))
  }

  mutating func subscribe(_ integrity: IntegrityDemand) {
    self.take(self.daemon.subscribe(SubscriptionParameters(replay: .none, integrity: integrity)))
  }

  mutating func request(_ integrity: IntegrityDemand) -> CallID {
    let request = FixRequest(accuracy: .level(.house), timeout: .seconds(3000), integrity: integrity)
    let (id, actions) = self.daemon.call(.getFix(request))
    self.take(actions)
    return id
  }

  mutating func forget() { (self.actions, self.largestError) = ([], 0) }

  /// Lives on, second by second, until a condition holds.
  ///
  /// - Returns: After how many seconds it did; `nil`: not within the limit.
  @discardableResult
  mutating func run(seconds limit: Int, until condition: (AttackedDaemon) -> Bool = { _ in false }) -> Int? {
    for second in 1...limit {
      let next = self.simulation.nextEpoch(after: self.daemon.now)
      self.take(self.daemon.advance(to: next.due))
      if let epoch = self.simulation.epochDue(next.time, at: next.due).epoch { self.report(epoch) }
      if condition(self) { return second }
    }
    return nil
  }

  private mutating func report(_ epoch: ReceiverSimulator.Epoch) {
    let now = self.daemon.now
    self.take(
      self.daemon.send(.receiver(.sky(SkyReport(device: ublox.path, satellites: epoch.satellites, arrival: now)))))
    var report = PositionReport(
      device: ublox.path, mode: epoch.solution == nil ? .noFix : .threeDimensional, time: epoch.time, arrival: now)
    if let solution = epoch.solution {
      (report.latitude, report.longitude) = (solution.motion.coordinate.latitude, solution.motion.coordinate.longitude)
      (report.speed, report.track) = (solution.motion.speed, solution.motion.speed > 0 ? solution.motion.course : nil)
      (report.altitude, report.eph) = (solution.motion.altitude, solution.horizontalAccuracy)
    }
    self.take(self.daemon.send(.receiver(.position(report))))
    guard self.speaks else { return }
    let said = ReceptionReport(device: ublox.path, reception: epoch.reception, arrival: now)
    self.take(self.daemon.send(.receiver(.reception(said))))
  }

  /// The receiver reports a position so far north of the device, and calls it simulated.
  mutating func simulatePosition(metres: Double) {
    var report = PositionReport(
      device: ublox.path, mode: .threeDimensional, arrival: self.daemon.now + .milliseconds(200))
    (report.latitude, report.longitude) = (self.home.latitude + metres / 111_195, self.home.longitude)
    (report.speed, report.eph, report.status) = (0, 3, 8)
    self.take(self.daemon.advance(to: report.arrival))
    self.take(self.daemon.send(.receiver(.position(report))))
  }

  private mutating func take(_ actions: [Action]) {
    self.actions += actions
    for fix in actions.fixes() {
      self.largestError = max(self.largestError, Geodesy.distance(from: fix.coordinate, to: self.home))
    }
  }

  // MARK: Results

  var status: DaemonStatus.Receiver { self.daemon.status.receiver }

  /// The messages about trust, in order.
  var doubts: [String] {
    self.actions.compactMap { action in
      if case .log(let kind, let message) = action, kind == .positionsDoubted || kind == .positionsTrusted {
        message.text
      } else {
        nil
      }
    }
  }

  /// What was decided: events of the region, visits, significant changes.
  var decisions: [String] {
    self.actions.regionEvents.map { "\($0.kind)" } + self.actions.visits.map { "visit \($0.id)" }
      + self.actions.fixes(of: 2).map { "moved to \($0.latitude), \($0.longitude)" }
  }
}
