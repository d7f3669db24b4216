package import ReceiverPorts

/// The meaning of one line of gpsd.
package enum GpsdMessage: Hashable, Sendable {
  /// gpsd's banner. The numbers are those of its protocol; `nil` if it does not say them.
  case version(release: String, major: Int?, minor: Int?)
  case devices([ReceiverDevice])
  /// gpsd opened or identified a device. If `isActivated` is false, it is unknown whether gpsd has the device open.
  case device(ReceiverDevice)
  /// The device with this path was closed or unplugged.
  case deviceGone(String)
  /// gpsd's answer to a `?WATCH`, with the receiver that it filters by.
  case watch(device: String?)
  case position(PositionReport)
  case sky(SkyReport)
  case errorEstimate(ErrorEstimateReport)
  case attitude(AttitudeReport)
  /// The text of gpsd's error.
  case error(String)
  /// A class that positiond does not use.
  case ignored
  /// A line that is broken or not of gpsd.
  case invalid
  /// The loaded libgps has another data layout than the one this was built with; nothing that it reads can be trusted.
  case skewed
}
