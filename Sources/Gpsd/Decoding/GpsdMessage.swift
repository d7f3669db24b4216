package import ReceiverPorts

/// What one line of gpsd says.
package enum GpsdMessage: Hashable, Sendable {
  case version(release: String, major: Int, minor: Int)
  case devices([ReceiverDevice])
  case device(DeviceNotice)
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

/// gpsd's word on one device: opened, identified, or gone.
package struct DeviceNotice: Hashable, Sendable {
  package var path: String
  package var driver: String?
  package var subtype: String?
  /// `false` when it went away; `nil` where the notice does not say.
  package var isActivated: Bool?
  /// The time between two reports.
  package var cycle: Duration?

  package init(
    path: String, driver: String? = nil, subtype: String? = nil, isActivated: Bool? = nil, cycle: Duration? = nil
  ) {
    self.path = path
    self.driver = driver
    self.subtype = subtype
    self.isActivated = isActivated
    self.cycle = cycle
  }
}
