/// Finds what somebody meant to type.
package enum Spelling {
  /// The nearest of the known words, if it is near enough to be what was meant: the first of those at the same distance.
  package static func nearest(to word: String, among known: [String]) -> String? {
    let letters = Array(word.utf8)
    // Longer words are no slips, and would make the comparison expensive.
    guard letters.count <= 64 else { return nil }
    let allowed = max(1, letters.count / 3)
    var nearest: (word: String, distance: Int)?
    for candidate in known {
      let distance = Spelling.distance(letters, Array(candidate.utf8))
      if distance <= allowed, distance < nearest?.distance ?? .max { nearest = (candidate, distance) }
    }
    return nearest?.word
  }

  /// How many letters must be put in, left out or changed to make one word of the other, regardless of case.
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, other) in right.enumerated() {
        let substituted = diagonal + (Spelling.lowercased(letter) == Spelling.lowercased(other) ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(substituted, diagonal + 1, row[column] + 1)
      }
    }
    return row[right.count]
  }

  private static func lowercased(_ letter: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) ? letter | 0x20 : letter
  }
}
