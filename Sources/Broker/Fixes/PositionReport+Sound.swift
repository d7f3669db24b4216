extension PositionReport {
  /// The report without what no receiver can mean: what is no number, a speed below zero, a track around no circle.
  var sound: PositionReport {
    var sound = self
    sound.latitude = self.latitude.finite
    sound.longitude = self.longitude.finite
    sound.altitude = self.altitude.finite
    sound.ellipsoidalAltitude = self.ellipsoidalAltitude.finite
    sound.speed = self.speed.finite.flatMap { $0 >= 0 ? $0 : nil }
    sound.track = self.track.finite.flatMap { (0...360).contains($0) ? $0 : nil }
    sound.eph = self.eph.finite
    sound.epx = self.epx.finite
    sound.epy = self.epy.finite
    sound.epv = self.epv.finite
    sound.eps = self.eps.finite
    sound.epd = self.epd.finite
    sound.declination = self.declination.finite
    return sound
  }
}

extension Double? {
  fileprivate var finite: Double? { self.flatMap { $0.isFinite ? $0 : nil } }
}
