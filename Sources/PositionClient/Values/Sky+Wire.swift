import PositionProtocol
import Positioning

extension Sky {
  /// The sky as it arrived here at `now`; `nil` where the receiver has told nothing.
  init?(_ sky: SkyObject, now: Instant) {
    guard let satellites = sky.satellites else { return nil }
    self.init(
      satellites: satellites.map { Satellite($0) }, hdop: sky.hdop, vdop: sky.vdop, pdop: sky.pdop,
      arrival: now - .bounded(seconds: sky.age ?? 0))
  }
}

extension Sky.Satellite {
  init(_ satellite: SkyObject.Satellite) {
    self.init(
      constellation: satellite.constellation, svid: satellite.svid, elevation: satellite.elevation,
      azimuth: satellite.azimuth, snr: satellite.snr, isUsed: satellite.isUsed)
  }
}
