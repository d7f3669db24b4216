import JSONRPC
import Positioning

/// Reads the lines of a GeoJSON file whose positions have times, as `GeoJSONWriter` writes them.
enum GeoJSONReader {
  static func read(_ text: [UInt8], into points: inout ReadPoints) throws(UnreadableTrack) {
    let whole: JSONValue
    do throws(RPCError) {
      whole = try JSONValue(parsing: text)
    } catch {
      throw UnreadableTrack("it is no JSON: \(error.message)")
    }
    for feature in whole["features"]?.elements ?? [whole] {
      guard let coordinates = feature["geometry"]?["coordinates"] else { continue }
      let properties = feature["properties"]
      switch feature["geometry"]?["type"] {
      case "LineString": self.readLine(coordinates, properties, nil, into: &points)
      case "MultiLineString":
        for (number, line) in coordinates.elements.enumerated() {
          self.readLine(line, properties, number, into: &points)
        }
      default: break
      }
    }
  }

  /// - Parameter number: Which of several lines it is, whose properties are nested as deeply as they are.
  private static func readLine(
    _ line: JSONValue, _ properties: JSONValue?, _ number: Int?, into points: inout ReadPoints
  ) {
    let values = { (name: String) -> [JSONValue] in
      // Older programs have the times alone.
      let found = properties?["coordinateProperties"]?[name] ?? (name == "times" ? properties?["coordTimes"] : nil)
      let all = found?.elements ?? []
      guard let number else { return all }
      return number < all.count ? all[number].elements : []
    }
    let (times, altitudes) = (values("times"), values("altitudes"))
    let (accuracies, errors, speeds) = (values("horizontalAccuracies"), values("verticalAccuracies"), values("speeds"))
    for (index, position) in line.elements.enumerated() {
      let numbers = position.elements.compactMap(\.real)
      guard numbers.count >= 2 else { continue }
      let place = Coordinate(latitude: numbers[1], longitude: numbers[0])
      points.add(place, index < times.count ? times[index].word.flatMap { Timestamp($0) } : nil) { point in
        let value = { (values: [JSONValue]) in index < values.count ? values[index].real : nil }
        point.altitude = value(altitudes)
        point.horizontalAccuracy = value(accuracies)
        point.verticalAccuracy = value(errors)
        point.speed = value(speeds)
      }
    }
    points.endSegment()
  }
}

extension JSONValue {
  /// The elements of an array; none for anything else.
  fileprivate var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

  fileprivate var real: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    case .null, .boolean, .string, .array, .object: nil
    }
  }

  fileprivate var word: String? { if case .string(let text) = self { text } else { nil } }
}
