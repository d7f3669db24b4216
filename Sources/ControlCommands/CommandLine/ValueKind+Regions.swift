import JSONRPC
import Positioning
import ProgramArguments

/// Parameters of regions with a notation of their own.
extension ValueKind where Value == JSONValue {
  static let circle = ValueKind(
    placeholder: "LAT,LON,RADIUS", expectation: "latitude, longitude and metres, such as 48.137,11.575,150m"
  ) { text in
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 3, let latitude = Quantity.signedDegrees(parts[0]),
      let longitude = Quantity.signedDegrees(parts[1]), let radius = Quantity.meters(String(parts[2]))
    else { return nil }
    return ["latitude": .number(latitude), "longitude": .number(longitude), "radius": .number(radius)]
  }

  static let polygon = ValueKind(
    placeholder: "LAT,LON...",
    expectation: "corners with spaces between them, such as \"48.1,11.5 48.2,11.5 48.1,11.6\""
  ) { text in
    let corners = text.split(separator: " ")
    let places = corners.compactMap { corner -> JSONValue? in
      let degrees = corner.split(separator: ",", omittingEmptySubsequences: false).map { Quantity.signedDegrees($0) }
      let known = degrees.compactMap { $0 }
      return degrees.count == 2 && known.count == 2 ? .array(known.map { .number($0) }) : nil
    }
    return places.count == corners.count && !corners.isEmpty ? .array(places) : nil
  }

  static let events = ValueKind(
    placeholder: "EVENT,...", expectation: "one or more of enter, exit, dwell and crossed, with commas between them"
  ) { text in
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let known: [RegionEventKind] = [.enter, .exit, .dwell, .crossed]
    let isKnown = words.allSatisfy { word in known.contains { $0.rawValue == word } }
    return isKnown ? .array(words.map { .string($0) }) : nil
  }
}

extension ValueKind where Value == Int {
  static let event = ValueKind(placeholder: "EVENT", expectation: "an event's number, such as 1234") { text in
    Int(text).flatMap { $0 >= 0 ? $0 : nil }
  }
}
