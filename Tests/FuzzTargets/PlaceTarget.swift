import Geodesy
import Notations
import Positioning

/// A place that a person writes: it is on the Earth or none, and in each notation it is written and read as the same.
enum PlaceTarget {
  static func run(_ input: [UInt8]) {
    let text = text(input.prefix(256))
    var places = CoordinateNotation.allCases.compactMap { PlaceReader.place(text, in: $0) }
    do {
      if let place = try PlaceReader.place(text) { places.append(place) }
    } catch {
      require(!error.message.isEmpty, "an unclear place has no words", text)
    }
    places.forEach { self.check($0, of: text) }
  }

  private static func check(_ place: Coordinate, of text: String) {
    require(
      (-90...90).contains(place.latitude) && (-180...180).contains(place.longitude), "a place is not on the Earth",
      "\(text): \(place)")
    for notation in CoordinateNotation.allCases {
      let written = notation.text(place, accuracy: 10)
      let read = PlaceReader.place(written, in: notation)
      require(read != nil, "what was written is not read", "\(text): \(written)")
      // The middle of a cell is as far from its corner as its half diagonal.
      if let read {
        require(Geodesy.distance(from: place, to: read) < 25, "a place moves when it is written", "\(text): \(written)")
      }
    }
  }
}
