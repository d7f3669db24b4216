import Glibc
package import Positioning
package import ReceiverPorts

/// The kind of solution that the receiver reports.
package enum FixQuality: String, Hashable, Sendable, CaseIterable {
  case gnss, differential
  case rtkFixed = "rtk-fixed"
  case rtkFloat = "rtk-float"
  case deadReckoning = "dead-reckoning"
}

/// The receiver's solution for one epoch.
package struct Solution: Hashable, Sendable {
  /// Including the receiver's error, if it has any.
  package var motion: Motion
  package var quality: FixQuality
  package var dilution: Dilution
  /// Metres, 1 sigma, for receivers that report it.
  package var horizontalAccuracy: Double
  package var verticalAccuracy: Double
  /// Metres per second.
  package var speedAccuracy: Double

}

/// Dilution of precision.
package struct Dilution: Hashable, Sendable {
  package var horizontal: Double
  package var vertical: Double

  package var position: Double {
    (self.horizontal * self.horizontal + self.vertical * self.vertical).squareRoot()
  }

}

/// One moment of the simulation, before it is encoded.
package struct Epoch: Hashable, Sendable {
  /// The time of the receiver's clock.
  package var time: Timestamp
  /// The true motion of the antenna.
  package var truth: Motion
  /// `nil`: no fix.
  package var solution: Solution?
  package var satellites: [Sky.Satellite] = []
  /// The direction in which the device points, degrees from true north; `nil` for a receiver without compass.
  package var heading: Double?
  /// What the receiver says of its reception; only a u-blox says any of it.
  package var reception = Reception()
  /// Whether this epoch's satellites are sent: receivers send them once a second, whatever the rate of epochs.
  package var includesSky = true

  package var satellitesUsed: Int { self.satellites.count { $0.isUsed } }
}

/// The satellites that the simulated receiver sees: a fixed constellation that drifts slowly.
package enum SimulatedSky {
  /// GPS, GLONASS and Galileo: number, mean elevation, azimuth at time 0; degrees.
  private static let orbits: [(Sky.Constellation, svid: Int, elevation: Double, azimuth: Double)] = [
    (.gps, 2, 68, 30), (.gps, 5, 52, 120), (.gps, 7, 41, 250), (.gps, 9, 33, 305), (.gps, 13, 27, 65),
    (.gps, 16, 19, 190), (.gps, 20, 12, 340), (.gps, 29, 6, 150),
    (.glonass, 3, 61, 210), (.glonass, 4, 44, 95), (.glonass, 13, 30, 325), (.glonass, 14, 22, 15),
    (.glonass, 19, 9, 280),
    (.galileo, 1, 57, 285), (.galileo, 8, 38, 170), (.galileo, 15, 25, 230), (.galileo, 27, 14, 50),
  ]

  /// Weaker signals are not heard, in dBHz.
  private static let weakest = 10.0

  /// Satellites below this elevation in degrees are seen and not used.
  private static let elevationMask = 8.0

  /// The sky at a moment.
  ///
  /// Without `sky` no signal is received: the satellites are known from the almanac only. During a search they are
  /// found one after the other, the highest first.
  package static func satellites(
    at time: Timestamp, activity: ReceiverModel.Activity, _ faults: ActiveFaults = ActiveFaults()
  ) -> [Sky.Satellite] {
    let found: Double
    let isTracking: Bool
    switch activity {
    case .off, .starting, .stopped: return []
    case .searching(let progress): (found, isTracking) = (progress, false)
    case .tracking: (found, isTracking) = (1, true)
    }
    let placed = Self.orbits.map { orbit in
      (orbit: orbit, place: Self.place(elevation: orbit.elevation, azimuth: orbit.azimuth, svid: orbit.svid, at: time))
    }
    .sorted { $0.place.elevation > $1.place.elevation }
    let heard = faults.hasSky ? Int((found * Double(placed.count)).rounded(.down)) : 0
    return placed.enumerated().map { index, entry in
      let strength = (faults.commonStrength ?? Self.snr(elevation: entry.place.elevation)) - faults.attenuation
      let isHeard = index < heard && strength >= Self.weakest
      return Sky.Satellite(
        constellation: entry.orbit.0, svid: entry.orbit.svid, elevation: entry.place.elevation,
        azimuth: entry.place.azimuth, snr: isHeard ? strength : nil,
        isUsed: isTracking && isHeard && entry.place.elevation >= Self.elevationMask)
    }
  }

  /// Whole degrees, as receivers report them. A pass takes half a sidereal day; it rises and falls by 4 degrees only, so
  /// that a simulation of days keeps its sky.
  private static func place(elevation: Double, azimuth: Double, svid: Int, at time: Timestamp)
    -> (elevation: Double, azimuth: Double)
  {
    let phase = Double(time.milliseconds % 43_082_000) / 43_082_000 * 2 * .pi
    return (
      (elevation + 4 * sin(phase + Double(svid))).rounded(), (azimuth + phase.degrees).wrappedCourse.rounded(.down)
    )
  }

  private static func snr(elevation: Double) -> Double {
    (28 + 20 * sin(elevation.radians)).rounded()
  }
}

extension Timestamp {
  /// GPS time minus UTC, in seconds, since 2017-01-01.
  package static let leapSeconds: Int64 = 18

  private static let millisecondsOfWeek: Int64 = 7 * 86_400_000
  /// 1980-01-06, when GPS time began.
  private static let gpsEpoch = Timestamp(milliseconds: 3657 * 86_400_000)

  /// The moment in GPS time: weeks since 1980-01-06, not rolled over, and milliseconds of the week.
  package var gps: (week: Int, timeOfWeek: Int) {
    let elapsed = self.milliseconds - Self.gpsEpoch.milliseconds + Self.leapSeconds * 1000
    let week = elapsed.flooredQuotient(by: Self.millisecondsOfWeek)
    return (Int(week), Int(elapsed - week * Self.millisecondsOfWeek))
  }

  /// The first multiple of `period` after this moment.
  package func next(every period: Duration) -> Timestamp {
    let step = period.wholeMilliseconds
    return Timestamp(milliseconds: (self.milliseconds.flooredQuotient(by: step) + 1) * step)
  }
}
