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
