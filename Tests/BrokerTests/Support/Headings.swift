import Positioning
import ReceiverPorts

@testable import Broker

/// A sensor's report.
func attitude(
  _ seconds: Double, _ heading: Double? = nil, isMagnetic: Bool = false, magnetic: Double? = nil,
  device: String? = ublox.path
) -> AttitudeReport {
  AttitudeReport(
    device: device, heading: heading, isMagnetic: isMagnetic, magneticHeading: magnetic, arrival: at(seconds))
}

/// A fix of a device on its way, at 50 north and 8 east.
func moving(_ seconds: Double, course: Double?, speed: Double? = 5, accuracy: Double? = nil, time: Timestamp? = nil)
  -> Fix
{
  Fix(
    latitude: 50, longitude: 8, horizontalAccuracy: 4, speed: speed, course: course, courseAccuracy: accuracy,
    time: time, arrival: at(seconds), device: ublox.path)
}

/// The model's declination at the place of `moving`, in the middle of its validity.
let modelDeclination = 3.7037

extension HeadingView {
  static func empty() -> HeadingView { HeadingView(settings: HeadingSettings()) }

  mutating func hear(_ report: AttitudeReport, cycle: Duration = .seconds(1)) {
    self.received(report, isBelieved: report.device == ublox.path, cycle: cycle)
  }

  mutating func follow(_ fix: Fix, cycle: Duration = .seconds(1)) { self.fixed(fix, cycle: cycle) }

  func trueHeading(_ seconds: Double) -> Double? { self.heading(now: at(seconds))?.trueHeading }
}

extension VirtualDaemon {
  /// A sensor's report that arrives now.
  @discardableResult
  mutating func point(_ heading: Double?, magnetic: Double? = nil) -> [Action] {
    self.send(.receiver(.attitude(attitude(self.now.sinceBoot.seconds, heading, magnetic: magnetic))))
  }

  /// A fix that arrives now, of a device on its way or at rest.
  @discardableResult
  mutating func move(course: Double?, speed: Double? = 5) -> [Action] {
    let seconds = self.now.sinceBoot.seconds
    var report = position(seconds, time: seconds)
    report.track = course
    report.speed = speed
    return self.send(.receiver(.position(report)))
  }

  @discardableResult
  mutating func subscribeHeading(
    minChange: Double = 1, minInterval: Double = 0, maxInterval: Double? = nil, client: UInt64 = 1
  ) -> [Action] {
    let parameters = HeadingParameters(
      minChange: minChange, minInterval: .seconds(minInterval), maxInterval: maxInterval.map { .seconds($0) })
    return self.call(.subscribeHeading(parameters), client: client).actions
  }
}

extension [Action] {
  func headings(of number: Int = 1, client: UInt64 = 1) -> [HeadingUpdate] {
    let id = SubscriptionID(client: ClientID(client), number: number)
    return self.compactMap { action in
      if case .notify(_, .heading(id, let update)) = action { update } else { nil }
    }
  }

  var warnings: [String] {
    self.compactMap { action in
      if case .log(.modelExpired, let message) = action { message.text } else { nil }
    }
  }
}

extension [HeadingUpdate] {
  /// The delivered true headings, with heartbeats.
  var directions: [Double?] { self.map { $0.heading?.trueHeading } }
}
