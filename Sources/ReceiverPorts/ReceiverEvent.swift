package import Positioning

/// Events of the receiver for the broker, from gpsd itself, a recorded session, or a simulation.
package enum ReceiverEvent: Hashable, Sendable {
  /// A position, or a report that there is none.
  case position(PositionReport)
  /// Standard deviations that belong to the position of the same epoch.
  case errorEstimate(ErrorEstimateReport)
  case sky(SkyReport)
  case attitude(AttitudeReport)
  /// What a receiver says of its reception.
  case reception(ReceptionReport)
  /// The state of the source has changed.
  case source(SourceState)
  /// The receiver's power has changed, as far as it is known.
  case power(PowerState)
  /// The receivers in gpsd's current list.
  case devices([ReceiverDevice])
  /// The number of epochs that were superseded before they were processed, because more arrived than the daemon could
  /// process.
  case superseded(epochs: Int)
  /// gpsd's release.
  case gpsdVersion(String)
}

/// One GST report of gpsd: standard deviations in metres (1 sigma).
package struct ErrorEstimateReport: Hashable, Sendable {
  package var device: String?
  package var time: Timestamp?
  package var latitude: Double?
  package var longitude: Double?
  package var altitude: Double?
  package var arrival: Instant

  package init(
    device: String? = nil, time: Timestamp? = nil, latitude: Double? = nil, longitude: Double? = nil,
    altitude: Double? = nil, arrival: Instant
  ) {
    self.device = device
    self.time = time
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
    self.arrival = arrival
  }
}

/// One SKY report of gpsd. Some carry only dilutions of precision; `satellites` is `nil` then, not empty. A `Sky` is what
/// several of them state together, and always has satellites.
package struct SkyReport: Hashable, Sendable {
  package var device: String?
  package var satellites: [Sky.Satellite]?
  package var hdop: Double?
  package var vdop: Double?
  package var pdop: Double?
  package var arrival: Instant

  package init(
    device: String? = nil, satellites: [Sky.Satellite]? = nil, hdop: Double? = nil, vdop: Double? = nil,
    pdop: Double? = nil, arrival: Instant
  ) {
    self.device = device
    self.satellites = satellites
    self.hdop = hdop
    self.vdop = vdop
    self.pdop = pdop
    self.arrival = arrival
  }
}

/// One ATT report of gpsd.
package struct AttitudeReport: Hashable, Sendable {
  package var device: String?
  /// Degrees in 0..<360; true north unless `isMagnetic`.
  package var heading: Double?
  /// Whether `heading` is magnetic: only `mag_st` shows that gpsd has a magnetic compass there.
  package var isMagnetic: Bool
  /// Degrees from magnetic north, if gpsd distinguishes it (3.25 and later).
  package var magneticHeading: Double?
  package var arrival: Instant

  package init(
    device: String? = nil, heading: Double? = nil, isMagnetic: Bool = false, magneticHeading: Double? = nil,
    arrival: Instant
  ) {
    self.device = device
    self.heading = heading
    self.isMagnetic = isMagnetic
    self.magneticHeading = magneticHeading
    self.arrival = arrival
  }
}

/// One receiver in gpsd's list.
package struct ReceiverDevice: Hashable, Sendable {
  package var path: String
  package var driver: String?
  package var subtype: String?
  /// Whether gpsd has it open.
  package var isActivated: Bool
  /// The time between two reports, if gpsd reports it.
  package var cycle: Duration?

  package init(
    path: String, driver: String? = nil, subtype: String? = nil, isActivated: Bool, cycle: Duration? = nil
  ) {
    self.path = path
    self.driver = driver
    self.subtype = subtype
    self.isActivated = isActivated
    self.cycle = cycle
  }
}

/// Where the path to the receiver stands, with what is wrong there: the daemon's own state. Clients see it as a `GpsdState`,
/// which has no reasons.
package enum SourceState: Hashable, Sendable {
  /// Not connected, because nobody needs the receiver.
  case idle
  /// Connecting, or connected and waiting for gpsd to open the receiver.
  case opening
  /// Reports arrive.
  case streaming
  /// gpsd has no such device, or the device sends nothing.
  case receiverMissing(MissingReason)
  /// gpsd closed the connection at once: it has its maximum of clients.
  case gpsdFull
  /// gpsd cannot be reached, or accepts the connection and sends nothing.
  case gpsdDown(DownReason)

  /// The state without the reason for it.
  package var state: GpsdState {
    switch self {
    case .idle: .idle
    case .opening: .opening
    case .streaming: .streaming
    case .receiverMissing: .receiverMissing
    case .gpsdFull: .gpsdFull
    case .gpsdDown: .gpsdDown
    }
  }

  package enum MissingReason: Hashable, Sendable {
    /// gpsd's list is empty.
    case noDevice
    /// gpsd does not have the configured device, but these.
    case notConfiguredDevice(String, present: [String])
    /// gpsd reported that the device was unplugged.
    case unplugged(String)
    /// The device is in gpsd's list and sends nothing.
    case silent(String?)
  }

  /// What gpsd has in place of the configured device, as the end of a sentence; a few are named.
  package static func words(_ present: [String]) -> String {
    guard !present.isEmpty else { return "" }
    let rest = present.count - Self.namedDevices
    return ", but \(present.prefix(Self.namedDevices).joined(separator: ", "))" + (rest > 0 ? " and \(rest) more" : "")
  }

  private static let namedDevices = 4

  package enum DownReason: Hashable, Sendable {
    /// The connection was refused or timed out; the text is the system's error.
    case unreachable(String)
    /// The connection exists but no banner arrived: gpsd is stopped behind its systemd socket, or hangs.
    case mute
    /// The connection broke.
    case closed(String)
    /// The program at this address is not gpsd, or a gpsd with an unknown protocol.
    case notGpsd(String)
  }
}
