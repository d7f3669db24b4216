import Glibc
package import Positioning

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

  /// Satellites below this elevation in degrees are seen and not used.
  private static let elevationMask = 8.0

  /// The sky at a moment.
  ///
  /// Without `sky` no signal is received: the satellites are known from the almanac only. During a search they are
  /// found one after the other, the highest first.
  package static func satellites(at time: Timestamp, activity: ReceiverModel.Activity, hasSky: Bool) -> [Sky.Satellite]
  {
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
    let heard = hasSky ? Int((found * Double(placed.count)).rounded(.down)) : 0
    return placed.enumerated().map { index, entry in
      let isHeard = index < heard
      return Sky.Satellite(
        constellation: entry.orbit.0, svid: entry.orbit.svid, elevation: entry.place.elevation,
        azimuth: entry.place.azimuth, snr: isHeard ? Self.snr(elevation: entry.place.elevation) : nil,
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
