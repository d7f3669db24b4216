import NMEA
import Positioning

/// What a MediaTek is given: the time, the time with a position, or one satellite's predicted orbit (EPO).
struct MediaTekAssistance: Hashable, Sendable {
  let sentence: NMEASentence

  /// `$PMTK740`.
  init(time: Timestamp) {
    let time = time.calendar
    self.sentence = NMEASentence(
      ["PMTK740"] + [time.year, time.month, time.day, time.hour, time.minute, time.second].map { "\($0)" })
  }

  /// `$PMTK741`, which has no error: whoever sends it must know that the position is near enough.
  init(place: Coordinate, altitude: Double, time: Timestamp) {
    let time = time.calendar
    let place =
      [place.latitude, place.longitude].map { FixedPoint.text($0, decimals: 6) }
      + [FixedPoint.text(altitude, decimals: 0)]
    self.sentence = NMEASentence(
      ["PMTK741"] + place + [time.year, time.month, time.day, time.hour, time.minute, time.second].map { "\($0)" })
  }

  /// `$PMTK721`: a satellite, and 18 words of 32 bits in hexadecimal digits.
  ///
  /// - Parameter line: Without its end. `nil` if it is another sentence, or its sum is wrong.
  init?(orbit line: ArraySlice<UInt8>) {
    guard line.count <= 200, let fields = NMEASentence.fields(of: line), fields.count == 20, fields[0] == "PMTK721",
      fields.dropFirst().allSatisfy({ (1...8).contains($0.utf8.count) && UInt32($0, radix: 16) != nil })
    else { return nil }
    self.sentence = NMEASentence(fields)
  }

  /// From when on an orbit is right, for six hours: its first word has the hours since 1980-01-06 in its lower three bytes.
  var orbitBegin: Timestamp? {
    let fields = self.sentence.body.split(separator: ",", omittingEmptySubsequences: false)
    guard fields.first == "PMTK721", fields.count == 20, let word = UInt32(fields[2], radix: 16) else { return nil }
    return Timestamp(milliseconds: Self.firstHour + Int64(word & 0xFF_FFFF) * 3_600_000)
  }

  /// How long an orbit is right.
  static let orbitValidity: Duration = .seconds(6 * 3600)
  /// 1980-01-06T00:00:00Z, in milliseconds since 1970.
  private static let firstHour: Int64 = 315_964_800_000
}
