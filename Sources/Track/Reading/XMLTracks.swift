import Positioning

/// Reads the points of a GPX file: place, altitude, time, speed, and the errors that `GPXWriter` writes.
enum GPXReader {
  static func read(_ text: [UInt8], into points: inout ReadPoints) {
    var scanner = XMLScanner(text)
    var point: (place: Coordinate?, values: [String: String])?
    while let token = scanner.next() {
      switch token {
      case .start("trkpt"):
        point = (FileNumber.place(latitude: scanner.attribute("lat"), longitude: scanner.attribute("lon")), [:])
      case .end("trkpt"):
        if let read = point { self.add(read.place, read.values, to: &points) }
        point = nil
      case .end("trkseg"), .end("trk"): points.endSegment()
      case .end(let name): point?.values[name] = scanner.content
      case .start: break
      }
    }
    points.endSegment()
  }

  private static func add(_ place: Coordinate?, _ values: [String: String], to points: inout ReadPoints) {
    points.add(place, values["time"].flatMap { Timestamp($0) }) { point in
      point.altitude = FileNumber.read(values["ele"])
      point.speed = FileNumber.read(values["speed"])
      point.horizontalAccuracy = FileNumber.read(values["accuracy"])
      point.verticalAccuracy = FileNumber.read(values["verticalAccuracy"])
    }
  }
}

/// Reads the tracks of a KML file: places, altitudes and times. KML has no errors.
enum KMLReader {
  static func read(_ text: [UInt8], into points: inout ReadPoints) {
    var scanner = XMLScanner(text)
    var (times, places): ([Timestamp?], [String]) = ([], [])
    var hasAltitudes = false
    while let token = scanner.next() {
      switch token {
      case .start("Track"): (times, places, hasAltitudes) = ([], [], true)
      case .end("altitudeMode"): hasAltitudes = scanner.content != "clampToGround"
      case .end("when"): times.append(Timestamp(scanner.content))
      case .end("coord"): places.append(scanner.content)
      case .end("Track"):
        for (time, place) in zip(times, places) {
          let numbers = place.split(separator: " ").map(String.init)
          guard numbers.count >= 2 else { continue }
          points.add(FileNumber.place(latitude: numbers[1], longitude: numbers[0]), time) { point in
            if hasAltitudes, numbers.count > 2 { point.altitude = FileNumber.read(numbers[2]) }
          }
        }
        points.endSegment()
      // A line without times.
      case .end("coordinates") where scanner.content.contains(" "):
        points.add(Coordinate(latitude: 0, longitude: 0), nil) { _ in }
      case .start, .end: break
      }
    }
  }
}
