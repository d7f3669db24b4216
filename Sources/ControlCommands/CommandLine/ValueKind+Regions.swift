import Positioning
import ProgramArguments

extension ValueKind where Value == RegionShape {
  static let circle = ValueKind(
    placeholder: "LAT,LON,RADIUS", expectation: "latitude, longitude and metres, such as 48.137,11.575,150m"
  ) { text in
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 3, let center = Coordinate(parts[0], parts[1]), let radius = Quantity.meters(String(parts[2]))
    else { return nil }
    return .circle(center: center, radius: radius)
  }

  static let polygon = ValueKind(
    placeholder: "LAT,LON...",
    expectation: "corners with spaces between them, such as \"48.1,11.5 48.2,11.5 48.1,11.6\""
  ) { text in
    let corners = text.split(separator: " ")
    let coordinates = corners.compactMap { corner -> Coordinate? in
      let parts = corner.split(separator: ",", omittingEmptySubsequences: false)
      return parts.count == 2 ? Coordinate(parts[0], parts[1]) : nil
    }
    return coordinates.count == corners.count && !corners.isEmpty ? .polygon(coordinates) : nil
  }
}

extension ValueKind where Value == Set<RegionEventKind> {
  static let events = ValueKind(
    placeholder: "EVENT,...", expectation: "one or more of enter, exit, dwell and crossed, with commas between them"
  ) { text in
    let words = text.split(separator: ",", omittingEmptySubsequences: false)
    let known: [RegionEventKind] = [.enter, .exit, .dwell, .crossed]
    let kinds = words.compactMap { word in known.first { $0.rawValue == word } }
    return kinds.count == words.count ? Set(kinds) : nil
  }
}

extension ValueKind where Value == Int {
  static let event = ValueKind(placeholder: "EVENT", expectation: "an event's number, such as 1234") { text in
    Int(text).flatMap { $0 >= 0 ? $0 : nil }
  }
}

extension Coordinate {
  /// Degrees as people write them; the daemon knows how many there are.
  fileprivate init?(_ latitude: Substring, _ longitude: Substring) {
    guard let latitude = Quantity.signedDegrees(latitude), let longitude = Quantity.signedDegrees(longitude) else {
      return nil
    }
    self.init(latitude: latitude, longitude: longitude)
  }
}
