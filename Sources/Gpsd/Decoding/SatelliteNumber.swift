import Positioning

/// The identity of a satellite.
struct SatelliteNumber: Hashable {
  var constellation: Sky.Constellation
  var svid: Int

  /// The satellite by its system and its number within the system in u-blox's numbering, else by its PRN in gpsd's
  /// numbering (NMEA 2 to 4.0 with gpsd's extensions). Negative numbers are absent; `nil` if both are.
  init?(gnssid: Int, svid: Int, prn: Int) {
    // 255: a GLONASS satellite that the receiver has not identified yet.
    if svid > 0, svid < 255, Self.systems.indices.contains(gnssid) {
      self.constellation = Self.systems[gnssid]
      self.svid = svid
    } else if let range = Self.ranges.first(where: { $0.numbers.contains(prn) }) {
      self.constellation = range.constellation
      self.svid = prn - range.offset
    } else if prn > 0 {
      self.constellation = .unknown
      self.svid = prn
    } else {
      return nil
    }
  }

  init(of satellite: Sky.Satellite) {
    self.constellation = satellite.constellation
    self.svid = satellite.svid
  }

  /// The number of its system in u-blox's numbering; `nil` if the system is unknown.
  var gnssid: Int? { Self.systems.firstIndex(of: self.constellation) }

  /// Its PRN in gpsd's numbering; `nil` if there is none.
  var prn: Int? {
    if self.constellation == .unknown { return self.svid }
    return Self.ranges.first { $0.constellation == self.constellation && $0.numbers.contains(self.svid + $0.offset) }
      .map { self.svid + $0.offset }
  }

  private static let systems: [Sky.Constellation] = [.gps, .sbas, .galileo, .beidou, .imes, .qzss, .glonass, .navic]

  private static let ranges: [(numbers: ClosedRange<Int>, constellation: Sky.Constellation, offset: Int)] = [
    (1...32, .gps, 0),
    (33...64, .sbas, -87),
    (65...96, .glonass, 64),
    (120...158, .sbas, 0),
    (173...182, .imes, 172),
    (193...200, .qzss, 192),
    (201...263, .beidou, 200),
    (301...336, .galileo, 300),
    (401...463, .beidou, 400),
  ]
}

extension Sky.Satellite {
  /// One entry for each satellite, in the order of its first signal: a receiver of several bands lists each signal.
  static func merged(_ signals: [Sky.Satellite]) -> [Sky.Satellite] {
    var satellites: [Sky.Satellite] = []
    var places: [SatelliteNumber: Int] = [:]
    for signal in signals {
      let number = SatelliteNumber(of: signal)
      guard let place = places[number] else {
        places[number] = satellites.count
        satellites.append(signal)
        continue
      }
      satellites[place].isUsed = satellites[place].isUsed || signal.isUsed
      satellites[place].elevation = satellites[place].elevation ?? signal.elevation
      satellites[place].azimuth = satellites[place].azimuth ?? signal.azimuth
      satellites[place].snr = [satellites[place].snr, signal.snr].compactMap(\.self).max()
    }
    return satellites
  }
}
