/// The satellites that a receiver sees.
public struct Sky: Hashable, Sendable {
  /// One satellite. Angles are degrees; values that the receiver did not report are `nil`.
  public struct Satellite: Hashable, Sendable {
    /// The satellite navigation system.
    public var constellation: Constellation
    /// The satellite's number within its constellation.
    public var svid: Int
    /// Degrees above the horizon.
    public var elevation: Double?
    /// Degrees from true north.
    public var azimuth: Double?
    /// Carrier to noise density in dBHz.
    public var snr: Double?
    /// Whether the fix uses it.
    public var isUsed: Bool

    public init(
      constellation: Constellation, svid: Int, elevation: Double? = nil, azimuth: Double? = nil, snr: Double? = nil,
      isUsed: Bool
    ) {
      self.constellation = constellation
      self.svid = svid
      self.elevation = elevation
      self.azimuth = azimuth
      self.snr = snr
      self.isUsed = isUsed
    }
  }

  /// A satellite navigation system.
  public enum Constellation: String, Hashable, Sendable, CaseIterable {
    case gps, sbas, galileo, beidou, imes, qzss, glonass, navic, unknown
  }

  public var satellites: [Satellite]
  /// Horizontal dilution of precision; then vertical, and of the position.
  public var hdop: Double?
  public var vdop: Double?
  public var pdop: Double?
  /// When the report arrived.
  public var arrival: Instant
  /// The receiver's path as gpsd knows it.
  public var device: String?

  public init(
    satellites: [Satellite], hdop: Double? = nil, vdop: Double? = nil, pdop: Double? = nil, arrival: Instant,
    device: String? = nil
  ) {
    self.satellites = satellites
    self.hdop = hdop
    self.vdop = vdop
    self.pdop = pdop
    self.arrival = arrival
    self.device = device
  }

  public var satellitesUsed: Int { self.satellites.count { $0.isUsed } }
}
