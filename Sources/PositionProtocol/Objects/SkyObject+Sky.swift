public import Positioning

extension SkyObject {
  /// The sky as it is told at `now`; `nil` where the receiver has told nothing.
  public init(_ sky: Sky?, now: Instant) {
    self.init(
      satellites: sky?.satellites.map { Satellite($0) }, hdop: sky?.hdop?.toThousandths,
      vdop: sky?.vdop?.toThousandths, pdop: sky?.pdop?.toThousandths,
      age: sky.map { max(.zero, now - $0.arrival).wireSeconds })
  }
}

extension SkyObject.Satellite {
  public init(_ satellite: Sky.Satellite) {
    self.init(
      constellation: satellite.constellation, svid: satellite.svid, elevation: satellite.elevation?.toThousandths,
      azimuth: satellite.azimuth?.toThousandths, snr: satellite.snr?.toThousandths, isUsed: satellite.isUsed)
  }
}
