import Positioning

/// Reads UTM, UPS and MGRS as people write them, with and without blanks.
enum GridText {
  /// The bands of UTM from 80° south on, 8° each and the last one 12°.
  private static let bands = Array("CDEFGHJKLMNPQRSTUVWX")

  /// The middle of the square; `nil` for any other text.
  static func mgrs(_ text: String) -> Coordinate? {
    let symbols = Array(text.utf8.filter { $0 != UInt8(ascii: " ") })
    let zone = symbols.prefix(while: \.isDigit).count
    let letters = symbols.dropFirst(zone).prefix(while: \.isLetter).count
    let digits = symbols.dropFirst(zone + letters)
    guard zone <= 2, letters == 3, digits.count % 2 == 0, digits.allSatisfy(\.isDigit) else { return nil }
    return Grid.place(mgrs: String(decoding: symbols, as: UTF8.self))
  }

  /// `32U 691650 5334754`, with blanks between the numbers: the letter is the latitude band, so `32S` is north of the
  /// equator. `32 north` and `32 south` name the hemisphere. `nil` for any other text.
  static func utm(_ text: String) -> Coordinate? {
    var words = text.uppercased().split { $0 == " " || $0 == "," }.map(String.init)
    guard words.count >= 3, let northing = self.metres(words.removeLast(), "N"),
      let easting = self.metres(words.removeLast(), "E")
    else { return nil }
    let head = words.joined()
    let digits = head.prefix { $0.isASCII && $0.isNumber }
    let rest = String(head.dropFirst(digits.count))
    if digits.isEmpty {
      // UPS: A and B are at the South Pole, Y and Z at the North Pole.
      guard ["A", "B", "Y", "Z"].contains(rest) else { return nil }
      return Grid.place(zone: 0, isNorth: rest == "Y" || rest == "Z", easting: easting, northing: northing)
    }
    guard digits.count <= 2, let zone = Int(digits), (1...60).contains(zone) else { return nil }
    switch rest {
    case "NORTH": return Grid.place(zone: zone, isNorth: true, easting: easting, northing: northing)
    case "SOUTH": return Grid.place(zone: zone, isNorth: false, easting: easting, northing: northing)
    default: break
    }
    guard rest.count == 1, let letter = rest.first, let band = self.bands.firstIndex(of: letter),
      let place = Grid.place(zone: zone, isNorth: letter >= "N", easting: easting, northing: northing)
    else { return nil }
    // Rounding may have moved it over the border of its band.
    let south = Double(band) * 8 - 80
    let limits = (south - 0.1)...(letter == "X" ? 84.1 : south + 8.1)
    return limits.contains(place.latitude) ? place : nil
  }

  /// `691650`, `691650.25`, `691650E` or `691650mE`.
  private static func metres(_ word: String, _ letter: String) -> Double? {
    var number = word[...]
    for suffix in [letter, "M"] where number.hasSuffix(suffix) { number = number.dropLast() }
    guard !number.isEmpty, number.allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }) else { return nil }
    return Double(number)
  }
}
