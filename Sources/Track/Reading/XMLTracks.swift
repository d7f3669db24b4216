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

/// Reads the tracks of a KML file: places, altitudes and times, and the arrays that `KMLWriter` writes.
enum KMLReader {
  /// What a track's element has, in the order of its lists.
  private struct Lists {
    var times: [Timestamp?] = []
    var places: [String] = []
    var arrays: [String: [Double?]] = [:]
    /// The array that is being read.
    var name = ""
    var hasAltitudes = true

    func add(to points: inout ReadPoints) {
      for (index, (time, place)) in zip(self.times, self.places).enumerated() {
        let numbers = place.split(separator: " ").map(String.init)
        guard numbers.count >= 2 else { continue }
        let value = { (name: String) in self.arrays[name].flatMap { index < $0.count ? $0[index] : nil } }
        points.add(FileNumber.place(latitude: numbers[1], longitude: numbers[0]), time) { point in
          if self.hasAltitudes, numbers.count > 2 { point.altitude = FileNumber.read(numbers[2]) }
          point.horizontalAccuracy = value("accuracy")
          point.verticalAccuracy = value("verticalAccuracy")
          point.speed = value("speed")
        }
      }
      points.endSegment()
    }
  }

  static func read(_ text: [UInt8], into points: inout ReadPoints) {
    var scanner = XMLScanner(text)
    var lists = Lists()
    while let token = scanner.next() {
      switch token {
      case .start("Track"): lists = Lists()
      case .end("altitudeMode"): lists.hasAltitudes = scanner.content != "clampToGround"
      case .end("when"): lists.times.append(Timestamp(scanner.content))
      case .end("coord"): lists.places.append(scanner.content)
      case .start("SimpleArrayData"): lists.name = scanner.attribute("name") ?? ""
      case .end("value"): lists.arrays[lists.name, default: []].append(FileNumber.read(scanner.content))
      case .end("Track"): lists.add(to: &points)
      // A line without times.
      case .end("coordinates") where scanner.content.contains(" "):
        points.add(Coordinate(latitude: 0, longitude: 0), nil) { _ in }
      case .start, .end: break
      }
    }
  }
}
