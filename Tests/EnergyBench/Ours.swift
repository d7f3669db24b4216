import Broker
import Positioning
import ReceiverPorts

/// The broker itself, with a receiver whose rung is verified to turn it off.
enum Ours {
  static let name = "positiond"

  static func run(_ workload: Workload, seed: UInt64, opening: Opening) -> Outcome {
    var driver = BrokerDriver(workload, seed: seed, opening: opening)
    for second in 0..<workload.seconds { driver.advance(through: second) }
    return driver.finish()
  }
}

/// Drives the broker through a workload in virtual time.
private struct BrokerDriver {
  private static let device = "/dev/ttyACM0"
  /// Boot was before the workload began.
  private static let boot = 1000.0

  private let workload: Workload
  private var machine: BrokerMachine
  private var receiver: ReceiverModel
  private var deadline: Instant?
  private var now = Instant(sinceBoot: .seconds(Self.boot))
  private var deliveries: Deliveries
  private var serial: UInt64 = 0
  private var nextOneShot = 0
  /// The one-shots by the number of their call.
  private var calls: [UInt64: Int] = [:]
  private var isSaving = false
  private let fences = ClientID(1)
  private let requests = ClientID(2)

  init(_ workload: Workload, seed: UInt64, opening: Opening) {
    self.workload = workload
    self.receiver = ReceiverModel(seed: seed, opening: opening)
    self.deliveries = Deliveries(workload)
    var settings = BrokerSettings()
    settings.access.fallback = .allow
    self.machine = BrokerMachine(settings: settings, seed: 1, now: self.now)
    self.send(.receiver(.devices([ReceiverDevice(path: Self.device, driver: "u-blox", isActivated: true)])))
    // A rung that is verified to turn it off.
    self.send(.receiver(.power(self.power)))
    for client in [self.fences, self.requests] { self.connect(client) }
    for (number, fence) in workload.fences.enumerated() {
      let region = Region(
        id: "\(number)", shape: .circle(center: Self.coordinate(fence.middle), radius: fence.radius),
        latency: .seconds(fence.latency))
      self.call(.addRegion(region), as: self.fences)
    }
  }

  /// Has what was collected delivered, and judges.
  mutating func finish() -> Outcome {
    for (index, tracker) in self.workload.trackers.enumerated() where tracker.isDeferred {
      self.call(.commandSubscription(number: 1, .flush), as: Self.client(of: index))
    }
    return Outcome(
      charge: self.receiver.charge(at: self.seconds), onTime: self.receiver.onTime(at: self.seconds),
      starts: self.receiver.starts,
      judgement: Judgement(self.deliveries, of: self.workload))
  }

  /// Seconds since the workload began.
  private var seconds: Double { self.now.sinceBoot.seconds - Self.boot }

  private static func coordinate(_ place: Double) -> Coordinate {
    Coordinate(latitude: 50 + place / 111_229, longitude: 8)
  }

  private var power: PowerState {
    PowerState(
      state: self.receiver.isOn ? .on : .off, rung: .ublox, since: self.now,
      saving: self.isSaving ? .oneHertz : .full)
  }

  // MARK: Time

  mutating func advance(through second: Int) {
    let end = Instant(sinceBoot: .seconds(Self.boot + Double(second)))
    while let deadline, deadline <= end {
      self.now = max(self.now, deadline)
      self.send(.deadlineReached)
    }
    self.now = end
    self.beginAndEnd(at: Double(second))
    let isSaving = self.receiver.isOn && self.receiver.isDrawingLess(at: Double(second))
    if isSaving != self.isSaving {
      self.isSaving = isSaving
      self.send(.receiver(.power(self.power)))
    }
    guard self.receiver.isOn else { return }
    let hasSky = self.workload.hasSky[second]
    let hasFix = self.receiver.tick(at: Double(second), hasSky: hasSky)
    self.report(place: hasFix ? self.workload.place(at: second) : nil)
    if !hasFix, second % 5 == 0 { self.reportSky(hasSky) }
  }

  private mutating func beginAndEnd(at second: Double) {
    for (index, tracker) in self.workload.trackers.enumerated() {
      let client = Self.client(of: index)
      if tracker.span.lowerBound == second {
        self.connect(client)
        let parameters = SubscriptionParameters(
          mode: tracker.isDeferred ? .deferred : .continuous, accuracy: tracker.accuracy,
          minInterval: .seconds(tracker.interval), deferredTimeout: tracker.isDeferred ? .seconds(3600) : nil,
          activity: tracker.activity)
        self.call(.subscribe(parameters), as: client)
      }
      if tracker.span.upperBound == second { self.send(.clientDisconnected(client)) }
    }
    while self.nextOneShot < self.workload.oneShots.count, self.workload.oneShots[self.nextOneShot].at <= second {
      self.calls[self.serial + 1] = self.nextOneShot
      self.nextOneShot += 1
      let request = FixRequest(
        accuracy: .level(.block), maximumAge: .seconds(Workload.OneShot.maximumAge),
        timeout: .seconds(Workload.OneShot.timeout))
      self.call(.getFix(request), as: self.requests)
    }
  }

  private static func client(of tracker: Int) -> ClientID { ClientID(UInt64(10 + tracker)) }

  // MARK: The receiver

  private mutating func report(place: Double?) {
    var report = PositionReport(
      device: Self.device, mode: place == nil ? .noFix : .threeDimensional,
      time: Timestamp(seconds: 1_700_000_000 + self.seconds), arrival: self.now)
    if let coordinate = place.map(Self.coordinate) {
      report.latitude = coordinate.latitude
      report.longitude = coordinate.longitude
      report.eph = 4
      report.speed = 0
    }
    self.send(.receiver(.position(report)))
  }

  private mutating func reportSky(_ isOpen: Bool) {
    let satellites = (1...6).map { number in
      Sky.Satellite(constellation: .gps, svid: number, snr: isOpen ? 35 : 0, isUsed: false)
    }
    self.send(.receiver(.sky(SkyReport(device: Self.device, satellites: satellites, arrival: self.now))))
  }

  // MARK: The broker

  private mutating func connect(_ client: ClientID) {
    self.send(.clientConnected(client, Principal(uid: 1000, gid: 100, pid: 1, user: "user")))
  }

  private mutating func call(_ what: Call, as client: ClientID) {
    self.serial += 1
    self.send(.called(CallID(client: client, serial: self.serial), what))
  }

  private mutating func send(_ event: BrokerEvent) {
    if event == .deadlineReached { self.deadline = nil }
    for action in self.machine.handle(event, now: self.now) {
      switch action {
      case .setDeadline(let deadline): self.deadline = deadline
      case .setReceiver(let isOn):
        self.receiver.turn(on: isOn, at: self.seconds)
        self.receiver.mayDrawLess = false
        self.send(.receiver(.source(isOn ? .streaming : .idle)))
      // Of the balanced mode no figure is known.
      case .allowSaving(let allowance): self.receiver.mayDrawLess = allowance.mode == .oneHertz
      case .store(let number, _): self.send(.stored(number))
      case .answer(let call, .fix(let result)) where result.status == .success:
        if let index = self.calls[call.serial] { self.deliveries.answers[index] = self.seconds }
      case .notify(_, let notification): self.take(notification)
      default: break
      }
    }
  }

  private mutating func take(_ notification: Notification) {
    switch notification {
    case .position(let id, let update):
      guard let client = id.holder.client, client.value >= 10 else { return }
      let fixes = update.fixes + (update.isRepeat || update.isReplay ? [] : [update.fix].compactMap { $0 })
      // Fixes come at whole seconds, and the difference of two numbers of seconds is not exact.
      let times = fixes.map { ($0.arrival.sinceBoot.seconds - Self.boot).rounded() }
      self.deliveries.fixes[Int(client.value) - 10] += times
    case .region(let event):
      guard let fence = Int(event.id), event.kind == .enter || event.kind == .exit else { return }
      self.deliveries.events[fence].append((self.seconds, event.kind == .enter))
    default: break
    }
  }
}
