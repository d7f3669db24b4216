import Positioning

/// The locator system of radio amateurs (IARU Region 1, Maidenhead 1980): pairs of a letter or digit for the longitude and
/// one for the latitude, each dividing the field of the pair before.
///
/// The first pair divides the globe by 18; then digits divide by 10 and letters by 24, in turns.
enum Maidenhead {
  private static let mostPairs = 6
  /// Cells in each direction within the pair before.
  private static func division(_ pair: Int) -> Int { pair == 0 ? 18 : pair % 2 == 1 ? 10 : 24 }

  /// The sides, in degrees, of the cells that so many pairs name. One pair would be a continent, so there are two at least.
  static let cells = (2...Maidenhead.mostPairs).map { pairs in
    let parts = (0..<pairs).reduce(1) { $0 * Maidenhead.division($1) }
    return (count: pairs, latitude: 180 / Double(parts), longitude: 360 / Double(parts))
  }

  /// `JN58sd`
  static func locator(_ place: Coordinate, pairs: Int) -> String {
    let parts = (0..<pairs).reduce(1) { $0 * self.division($1) }
    // The North Pole belongs to the cells south of it, and the antimeridian begins in the west.
    var east = min(Int(((place.longitude.wrappedLongitude + 180) / 360 * Double(parts)).rounded(.down)), parts - 1)
    var north = min(max(0, Int(((place.latitude + 90) / 180 * Double(parts)).rounded(.down))), parts - 1)
    var text = ""
    for pair in (0..<pairs).reversed() {
      let division = self.division(pair)
      text = self.symbol(east % division, pair) + self.symbol(north % division, pair) + text
      (east, north) = (east / division, north / division)
    }
    return text
  }

  private static func symbol(_ value: Int, _ pair: Int) -> String {
    if pair % 2 == 1 { return "\(value)" }
    return String(Unicode.Scalar(UInt8(ascii: pair == 0 ? "A" : "a") + UInt8(value)))
  }

  /// The middle of a locator's cell, in either case; `nil` for any other text.
  static func place(_ text: String) -> Coordinate? {
    let symbols = Array(text.uppercased().utf8)
    guard symbols.count >= 4, symbols.count % 2 == 0, symbols.count <= self.mostPairs * 2 else { return nil }
    var (east, north, parts) = (0, 0, 1)
    for pair in 0..<(symbols.count / 2) {
      guard let column = self.value(symbols[2 * pair], pair), let row = self.value(symbols[2 * pair + 1], pair)
      else { return nil }
      let division = self.division(pair)
      (east, north, parts) = (east * division + column, north * division + row, parts * division)
    }
    return Coordinate(
      latitude: (Double(north) + 0.5) / Double(parts) * 180 - 90,
      longitude: (Double(east) + 0.5) / Double(parts) * 360 - 180)
  }

  private static func value(_ symbol: UInt8, _ pair: Int) -> Int? {
    let first = UInt8(ascii: pair % 2 == 1 ? "0" : "A")
    guard symbol >= first, case let value = Int(symbol - first), value < self.division(pair) else { return nil }
    return value
  }
}
