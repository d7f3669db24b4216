package import Positioning

/// Why a text names no single place, for people.
package struct UnclearPlace: Error, Hashable {
  package let message: String
}

/// Reads places in every notation that positiond writes, and as people write them.
///
/// The form of the text decides. A name before it and a colon, such as `geohash:`, decides for texts that two notations
/// know.
package enum PlaceReader {
  /// Texts for an error's "such as".
  package static let examples = ["48.137,11.575", "48°08′14″N 11°34′32″E", "32U PU 91650 34754", "8FWH4HPG+VC9"]

  /// The place, or the middle of the cell; `nil`: the text is none.
  package static func place(_ text: String) throws(UnclearPlace) -> Coordinate? {
    let text = text.trimmed
    if let colon = text.firstIndex(of: ":") {
      let name = text[..<colon].lowercased()
      let rest = String(text[text.index(after: colon)...]).trimmed
      if name == "geo" { return self.geoURI(rest) }
      if let notation = CoordinateNotation(rawValue: name) { return self.place(rest, in: notation) }
    }
    if let place = Self.angles(text) ?? PlusCode.place(text) { return place }
    if let place = GridText.utm(text) { return place }
    let geohash = Self.geohash(text)
    let others: [(CoordinateNotation, Coordinate?)] = [
      (.mgrs, GridText.mgrs(text)), (.maidenhead, Maidenhead.place(text)),
    ]
    for case (let notation, let place?) in others {
      // Geohashes are written in small letters, the others in capital ones.
      guard geohash != nil else { return place }
      throw UnclearPlace(
        message: "\"\(text)\" is \(notation.words) and a geohash; write \(notation.rawValue):\(text) or geohash:\(text)"
      )
    }
    return geohash
  }

  /// - Parameter notation: The three notations of degrees are read alike.
  package static func place(_ text: String, in notation: CoordinateNotation) -> Coordinate? {
    switch notation {
    case .decimal, .dm, .dms: self.angles(text)
    case .utm: GridText.utm(text)
    case .mgrs: GridText.mgrs(text)
    case .maidenhead: Maidenhead.place(text)
    case .pluscode: PlusCode.place(text)
    case .geohash: text.utf8.allSatisfy(\.isLetterOrDigit) && !text.isEmpty ? Grid.place(geohash: text) : nil
    }
  }

  /// A geohash that does not say that it is one: small letters, and neither a word nor a number.
  private static func geohash(_ text: String) -> Coordinate? {
    guard text == text.lowercased(), text.utf8.contains(where: \.isLetter),
      text.utf8.count >= 6 || text.utf8.contains(where: \.isDigit)
    else {
      return nil
    }
    return text.utf8.count >= 3 ? self.place(text, in: .geohash) : nil
  }

  /// RFC 5870, without `geo:`. What follows the coordinates, such as the uncertainty, is ignored.
  private static func geoURI(_ text: String) -> Coordinate? {
    let numbers = (text.split(separator: ";").first ?? "").split(separator: ",", omittingEmptySubsequences: false)
    guard numbers.count == 2 || numbers.count == 3 else { return nil }
    return self.angles(numbers.prefix(2).joined(separator: ","))
  }

  // MARK: Angles

  /// Two angles, latitude first unless letters say otherwise.
  private static func angles(_ text: String) -> Coordinate? {
    guard let (first, second) = self.halves(text), let one = self.angle(first), let other = self.angle(second) else {
      return nil
    }
    return Grid.place(angles: one, other)
  }

  private static func halves(_ text: String) -> (String, String)? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    if parts.count == 2 { return (String(parts[0]), String(parts[1])) }
    guard parts.count == 1 else { return nil }
    let letters = text.indices.filter { "NSEWnsew".contains(text[$0]) }
    if letters.count == 2 {
      // The first angle ends with its letter, or the second begins with its own.
      let cut = letters[0] == text.startIndex ? letters[1] : text.index(after: letters[0])
      return (String(text[..<cut]), String(text[cut...]))
    }
    let words = text.split(separator: " ")
    return words.count == 2 && letters.isEmpty ? (String(words[0]), String(words[1])) : nil
  }

  /// One angle as GeographicLib reads it, which knows no blanks: colons instead of those between numbers. `nil` for what it
  /// would read and nobody means, such as a sum.
  private static func angle(_ text: String) -> String? {
    var angle = ""
    for word in text.split(separator: " ") {
      if angle.utf8.last?.isDigit == true, word.utf8.first?.isDigit == true { angle += ":" }
      angle += word
    }
    let numbers = angle.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") || $0.isLetter }
    let signs = numbers.filter { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    let letters = angle.unicodeScalars.filter {
      $0.properties.isAlphabetic && !"NSEWnsewdD".unicodeScalars.contains($0)
    }
    // Where there are more parts than these three, GeographicLib 2.1 reads beyond its own table of their names.
    let parts = angle.utf8.split { !$0.isDigit && $0 != UInt8(ascii: ".") }
    let colons = angle.utf8.count { $0 == UInt8(ascii: ":") }
    return (1...3).contains(parts.count) && colons < 3 && signs.isEmpty && letters.isEmpty ? angle : nil
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  var isLetterOrDigit: Bool { self.isDigit || self.isLetter }
}

extension String {
  fileprivate var trimmed: String {
    String(self.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
