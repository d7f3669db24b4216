import Positioning

/// Open Location Codes, as google/open-location-code specifies them: five pairs of digits to base 20, each pair a latitude
/// and a longitude, then single digits that divide the cell into five rows and four columns.
///
/// All is computed in whole numbers of the smallest cell, as the specification demands, so that every program writes the
/// same code.
enum PlusCode {
  private static let digits = Array("23456789CFGHJMPQRVWX".utf8)
  private static let pairs = 5
  private static let mostDigits = 15
  private static let (rows, columns) = (5, 4)
  /// The smallest cells of a degree: 20³ of the pairs, and 5⁵ rows or 4⁵ columns.
  private static let (latitudeParts, longitudeParts) = (8000 * 3125, 8000 * 1024)

  /// The sides, in degrees, of the cells that codes of so many digits name. Shorter codes need zeros.
  static let cells: [(count: Int, latitude: Double, longitude: Double)] =
    [(2, 20, 20), (4, 1, 1), (6, 0.05, 0.05), (8, 0.0025, 0.0025), (10, 0.000125, 0.000125)]
    + (1...5).map { refinement in
      (0..<refinement).reduce((10 + refinement, 0.000125, 0.000125)) { cell, _ in
        (cell.0, cell.1 / Double(PlusCode.rows), cell.2 / Double(PlusCode.columns))
      }
    }

  /// `8FWH4HPG+VC9`
  ///
  /// - Parameter length: How many digits: 2, 4, 6, 8, 10...15.
  static func code(_ place: Coordinate, length: Int) -> String {
    var latitude = self.parts(place.latitude + 90, self.latitudeParts)
    var longitude = self.parts(place.longitude.wrappedLongitude + 180, self.longitudeParts)
    // The North Pole belongs to the cells south of it.
    latitude = min(max(0, latitude), 180 * self.latitudeParts - 1)
    longitude = min(max(0, longitude), 360 * self.longitudeParts - 1)
    var code: [UInt8] = []
    for _ in self.pairs * 2..<self.mostDigits {
      code.insert(self.digits[latitude % self.rows * self.columns + longitude % self.columns], at: 0)
      (latitude, longitude) = (latitude / self.rows, longitude / self.columns)
    }
    for _ in 0..<self.pairs {
      code.insert(self.digits[longitude % 20], at: 0)
      code.insert(self.digits[latitude % 20], at: 0)
      (latitude, longitude) = (latitude / 20, longitude / 20)
    }
    code = Array(code.prefix(length))
    code += Array(repeating: UInt8(ascii: "0"), count: max(0, 8 - length))
    code.insert(UInt8(ascii: "+"), at: 8)
    return String(decoding: code, as: UTF8.self)
  }

  /// Whole smallest cells, as the reference rounds them: what is just below a border by the error of a double is on it.
  private static func parts(_ degrees: Double, _ parts: Int) -> Int {
    Int(((degrees * Double(parts) * 1e6).rounded() / 1e6).rounded(.down))
  }

  /// The middle of a full code's cell, in either case; `nil` for any other text, and for codes that lack their first
  /// digits.
  static func place(_ text: String) -> Coordinate? {
    var symbols = Array(text.uppercased().utf8)
    guard symbols.count >= 9, symbols[8] == UInt8(ascii: "+") else { return nil }
    symbols.remove(at: 8)
    let padding = symbols.suffix(while: { $0 == UInt8(ascii: "0") }).count
    symbols.removeLast(padding)
    guard padding == 0 || symbols.count + padding == 8, [2, 4, 6, 8].contains(symbols.count) || symbols.count >= 10
    else { return nil }
    let values = symbols.prefix(self.mostDigits).compactMap { self.digits.firstIndex(of: $0) }
    guard values.count == min(symbols.count, self.mostDigits) else { return nil }
    var (latitude, longitude, height, width) = (-90.0, -180.0, 400.0, 400.0)
    for pair in 0..<(min(values.count, 10) / 2) {
      (height, width) = (height / 20, width / 20)
      latitude += Double(values[2 * pair]) * height
      longitude += Double(values[2 * pair + 1]) * width
    }
    for value in values.dropFirst(10) {
      (height, width) = (height / Double(self.rows), width / Double(self.columns))
      latitude += Double(value / self.columns) * height
      longitude += Double(value % self.columns) * width
    }
    guard latitude < 90, longitude < 180 else { return nil }
    return Coordinate(latitude: min(latitude + height / 2, 90), longitude: longitude + width / 2)
  }
}

extension Array {
  /// The elements at the end that all meet the condition.
  fileprivate func suffix(while condition: (Element) -> Bool) -> ArraySlice<Element> {
    let end = self.lastIndex { !condition($0) }.map { $0 + 1 } ?? self.startIndex
    return self[end...]
  }
}
