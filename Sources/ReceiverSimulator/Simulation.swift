import NMEA
package import Positioning
import ReceiverPorts
import UBX

/// A whole simulated receiver without a device: route, receiver, errors, faults and encoding. It is pure: every event
/// has its time as an argument, and the results are bytes for the device.
package struct Simulation: Sendable {
  package struct Settings: Hashable, Sendable {
    package var route = Route.usual
    /// The time between two epochs; divides or is a multiple of a second, so that epochs fall on round times.
    package var period = Duration.seconds(1)
    package var receiver = ReceiverModel.Settings()
    package var errors = ErrorModel.Settings()
    package var quality = FixQuality.gnss
    package var nmea = NMEAEncoder()
    /// Whether the receiver has a compass.
    package var hasCompass = false
    package var faults: [Fault] = []
  }

  /// What the receiver sends at the time of an epoch.
  package struct Output: Hashable, Sendable {
    /// `nil` while the receiver sends nothing.
    package var epoch: Epoch?
    /// To be written one after the other; several pieces are spread over part of the period.
    package var pieces: [[UInt8]]
  }

  package let settings: Settings
  private let start: (instant: Instant, utc: Timestamp)
  private var model: ReceiverModel
  private var errors: ErrorModel
  private var shaper: OutputShaper
  private var faults: FaultPlan

  /// A simulation that begins at `now`, when UTC is `utc`. Epochs follow the monotonic clock from then on: a step of
  /// the wall clock has no effect.
  package init(settings: Settings, at now: Instant, utc: Timestamp) {
    self.settings = settings
    self.start = (now, utc)
    self.model = ReceiverModel(settings: settings.receiver, at: now)
    self.errors = ErrorModel(settings: settings.errors)
    self.shaper = OutputShaper(seed: settings.errors.seed)
    self.faults = FaultPlan(settings.faults)
    self.update(at: now)
  }

  // MARK: Time

  /// The first epoch after `now`: its round time, and the moment when it is due.
  package func nextEpoch(after now: Instant) -> (time: Timestamp, due: Instant) {
    let time = self.utc(at: now).next(every: self.settings.period)
    return (time, self.start.instant + (time - self.start.utc))
  }

  /// When the scheduled faults change next.
  package func nextFaultChange(after now: Instant) -> Instant? {
    self.faults.nextChange(after: now - self.start.instant).map { self.start.instant + $0 }
  }

  private func utc(at now: Instant) -> Timestamp {
    Timestamp(milliseconds: self.start.utc.milliseconds + (now - self.start.instant).wholeMilliseconds)
  }

  // MARK: Faults

  /// The active faults.
  package func activeFaults(at now: Instant) -> ActiveFaults {
    self.faults.activeFaults(at: now - self.start.instant)
  }

  package mutating func inject(_ kind: Fault.Kind, at now: Instant) {
    self.faults.inject(kind, at: now - self.start.instant)
    self.update(at: now)
  }

  package mutating func lift(_ kind: Fault.Kind, at now: Instant) {
    self.faults.lift(kind)
    self.update(at: now)
  }

  /// Applies the faults to the receiver's sky. Must be called when they change.
  package mutating func update(at now: Instant) {
    self.model.setSky(visible: self.activeFaults(at: now).hasSky, at: now)
  }

  // MARK: The device

  package mutating func deviceOpened(at now: Instant) { self.model.deviceOpened(at: now) }
  package mutating func deviceClosed(at now: Instant) { self.model.deviceClosed(at: now) }
  package mutating func unplugged(at now: Instant) { self.model.unplugged(at: now) }
  package mutating func replugged(at now: Instant) { self.model.replugged(at: now) }

  /// The receiver's response to bytes of the host.
  package mutating func received(_ bytes: some Collection<UInt8>, at now: Instant) -> [UInt8] {
    guard !self.activeFaults(at: now).isDeaf else { return [] }
    let truth = Knowledge.Truth(
      time: self.utc(at: now), coordinate: self.settings.route.motion(at: now - self.start.instant).coordinate)
    return self.model.received(bytes, at: now, truth: truth)
  }

  /// What a u-blox knows; `nil`: that is not simulated.
  package var knowledge: Knowledge? { self.model.knowledge }

  /// When the receiver's engine ran.
  package var powerLog: PowerLog { self.model.powerLog }

  /// The receiver's present activity.
  package mutating func activity(at now: Instant) -> ReceiverModel.Activity {
    self.model.activity(at: now)
  }

  // MARK: Epochs

  /// The epoch of `time`, which is due `now`.
  package mutating func epochDue(_ time: Timestamp, at now: Instant) -> Output {
    self.update(at: now)
    let activeFaults = self.activeFaults(at: now)
    let activity = self.model.activity(at: now)
    guard !activeFaults.isSilent, !activeFaults.isUnplugged, activity.talks else {
      return Output(epoch: nil, pieces: [])
    }
    let epoch = self.epoch(time, activity: activity, activeFaults: activeFaults)
    return Output(epoch: epoch, pieces: self.shaper.pieces(of: self.messages(for: epoch), activeFaults: activeFaults))
  }

  private mutating func epoch(_ time: Timestamp, activity: ReceiverModel.Activity, activeFaults: ActiveFaults) -> Epoch
  {
    let elapsed = time - self.start.utc
    let truth = self.settings.route.motion(at: elapsed)
    let heard = activeFaults.delay == .zero ? truth : self.settings.route.motion(at: elapsed - activeFaults.delay)
    let satellites = SimulatedSky.satellites(
      at: time + (.zero - activeFaults.delay), activity: activity, activeFaults)
    var solution: Solution?
    if case .tracking(let tracked) = activity, satellites.count(where: \.isUsed) >= Self.leastSatellites {
      var believed = self.errors.solution(
        of: heard, quality: self.settings.quality, tracked: tracked, step: self.settings.period)
      for displacement in activeFaults.displacement {
        believed.motion.coordinate = believed.motion.coordinate.moved(
          distance: displacement.distance, course: displacement.course)
      }
      // It errs by a quarter more.
      if self.model.isSaving { believed.horizontalAccuracy *= 1.25 }
      solution = believed
    }
    return Epoch(
      time: time + (activeFaults.timeOffset - activeFaults.delay), truth: truth, solution: solution,
      satellites: satellites,
      heading: self.settings.hasCompass ? Self.heading(of: truth, at: elapsed) : nil,
      reception: Self.reception(activeFaults, hasFix: solution != nil),
      includesSky: self.settings.period >= .seconds(1) || time.milliseconds % 1000 == 0)
  }

  /// What the receiver says of its reception. Signals that are weaker by 12 dB bring the indicator to 200.
  private static func reception(_ activeFaults: ActiveFaults, hasFix: Bool) -> Reception {
    let isJammed = activeFaults.attenuation > 0
    return Reception(
      spoofing: activeFaults.spoofing, jamming: !isJammed ? .clear : hasFix ? .warning : .critical,
      jammingIndicator: min(255, 20 + Int(activeFaults.attenuation * 15)), antenna: .connected)
  }

  /// For a place and the time.
  private static let leastSatellites = 4

  /// A moving vehicle points 5 degrees beside its course, as in a side wind; a stationary one turns 6 degrees a second.
  private static func heading(of motion: Motion, at elapsed: Duration) -> Double {
    motion.speed > 0 ? (motion.course + 5).wrappedCourse : (elapsed.seconds * 6).wrappedCourse
  }

  private func messages(for epoch: Epoch) -> [[UInt8]] {
    switch self.settings.receiver.kind {
    case .nmea, .mtk: self.settings.nmea.sentences(for: epoch).map(\.bytes)
    case .ublox: UBXEncoder.frames(for: epoch).map(\.bytes)
    }
  }
}

extension ReceiverModel.Activity {
  /// Whether the receiver sends epochs.
  fileprivate var talks: Bool {
    switch self {
    case .off, .starting: false
    case .stopped(let talks): talks
    case .searching, .tracking: true
    }
  }
}
