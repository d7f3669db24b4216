import Geodesy
import Positioning
import ReceiverPorts

@testable import Broker

/// A moment so many seconds after boot.
func at(_ seconds: Double) -> Instant { Instant(sinceBoot: .microseconds(Int64((seconds * 1_000_000).rounded()))) }

/// The receiver's time that many seconds after an arbitrary moment.
func utc(_ seconds: Double) -> Timestamp { Timestamp(seconds: 1_700_000_000 + seconds) }

/// The receiver of most tests, whose driver's `eph` is the 68 % radius.
let ublox = ReceiverDevice(path: "/dev/ttyACM0", driver: "u-blox", isActivated: true)

/// One report with a position. `accuracy` is gpsd's `eph`.
func position(
  _ seconds: Double, time: Double? = nil, accuracy: Double? = 4, latitude: Double = 50, longitude: Double = 8,
  device: String? = ublox.path
) -> PositionReport {
  var report = PositionReport(device: device, mode: .threeDimensional, time: time.map(utc), arrival: at(seconds))
  report.latitude = latitude
  report.longitude = longitude
  report.eph = accuracy
  return report
}

/// The receiver's report that it has no fix.
func noFix(_ seconds: Double, time: Double? = nil, device: String? = ublox.path) -> PositionReport {
  PositionReport(device: device, mode: .noFix, time: time.map(utc), arrival: at(seconds))
}

func estimate(
  _ seconds: Double, time: Double? = nil, latitude: Double = 3, longitude: Double = 4, device: String? = ublox.path
) -> ErrorEstimateReport {
  ErrorEstimateReport(
    device: device, time: time.map(utc), latitude: latitude, longitude: longitude, arrival: at(seconds))
}

/// The 68 % radius of the usual standard deviations, 3 and 4 m.
let gst68 = EllipticalError(3, 4).radius(holding: EllipticalError.oneSigma)

extension FixFilter {
  /// A filter that knows the usual receiver.
  static func knowing(_ settings: FixSettings = FixSettings(), devices: [ReceiverDevice] = [ublox]) -> FixFilter {
    var filter = FixFilter(settings: settings)
    filter.devicesListed(devices)
    return filter
  }

  /// Feeds reports, each at its own arrival, with the filter's deadlines in between, and returns the results.
  mutating func run(_ reports: [PositionReport]) -> [Event] {
    var events: [Event] = []
    for report in reports {
      events += self.advance(to: report.arrival)
      events += self.received(report)
    }
    return events
  }

  /// Lets the filter's deadlines before that moment pass.
  mutating func advance(to moment: Instant) -> [Event] {
    var events: [Event] = []
    while let deadline = self.nextDeadline, deadline < moment { events += self.deadlineReached(now: deadline) }
    return events
  }
}

extension [FixFilter.Event] {
  /// The fixes of new epochs.
  var fixes: [Fix] {
    self.compactMap { event in
      if case .fixed(let fix, _) = event { fix } else { nil }
    }
  }

  var improvements: [Fix] {
    self.compactMap { event in
      if case .improved(let fix, _) = event { fix } else { nil }
    }
  }

  var losses: Int { self.count { $0 == .lost } }

  var rejections: [FixFilter.Rejection] {
    self.compactMap { event in
      if case .rejected(let rejection) = event { rejection } else { nil }
    }
  }

  var epochs: [Int] {
    self.compactMap { event in
      if case .fixed(_, let epoch) = event { epoch } else { nil }
    }
  }
}
