import Positioning

/// Reads a CSV file with the columns that `CSVWriter` writes, in any order; others are ignored.
enum CSVReader {
  static func read(_ text: [UInt8], into points: inout ReadPoints) throws(UnreadableTrack) {
    var lines = text.split { $0 == 0x0A || $0 == 0x0D }.makeIterator()
    let header = lines.next().map(Self.values) ?? []
    let columns = Dictionary(zip(header, header.indices), uniquingKeysWith: { first, _ in first })
    for name in ["time", "latitude_deg", "longitude_deg"] where columns[name] == nil {
      throw UnreadableTrack("its first line names no column \(name)")
    }
    var segment: String?
    while let line = lines.next() {
      let values = Self.values(line)
      let value = { (name: String) in columns[name].flatMap { $0 < values.count ? values[$0] : nil } }
      let (time, newSegment) = (value("time").flatMap { Timestamp($0) }, value("segment"))
      if newSegment != segment || self.isGap(points.newest, time) && newSegment == nil { points.endSegment() }
      segment = newSegment
      points.add(FileNumber.place(latitude: value("latitude_deg"), longitude: value("longitude_deg")), time) { point in
        point.horizontalAccuracy = FileNumber.read(value("accuracy_m"))
        point.altitude = FileNumber.read(value("altitude_m"))
        point.verticalAccuracy = FileNumber.read(value("vertical_m"))
        point.speed = FileNumber.read(value("speed_mps"))
      }
    }
    points.endSegment()
  }

  private static func isGap(_ last: Timestamp?, _ next: Timestamp?) -> Bool {
    guard let last, let next else { return false }
    return (next - last).seconds > TrackRecorder.shortestGap
  }

  /// None of the columns that are read has a comma within it.
  private static func values(_ line: ArraySlice<UInt8>) -> [String] {
    line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { value in
      String(decoding: value.filter { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }
  }
}
