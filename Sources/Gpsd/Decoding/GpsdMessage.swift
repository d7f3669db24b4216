package import ReceiverPorts

/// What one line of gpsd says.
package enum GpsdMessage: Hashable, Sendable {
  case version(release: String, major: Int, minor: Int)
  case devices([ReceiverDevice])
  /// gpsd opened or identified a device. One that is not activated leaves it open whether gpsd has it open.
  case device(ReceiverDevice)
  /// The device of this path went away.
  case deviceGone(String)
  /// gpsd's answer to a `?WATCH`: which receiver it filters by.
  case watch(device: String?)
  case position(PositionReport)
  case sky(SkyReport)
  case errorEstimate(ErrorEstimateReport)
  case attitude(AttitudeReport)
  /// gpsd's complaint, in its words.
  case error(String)
  /// A class that we do not use.
  case ignored
  /// No line of gpsd, or a broken one.
  case invalid
  /// The libgps that was loaded is not the one this was built for; nothing that it reads can be trusted.
  case skewed
}
