/// Finds what somebody meant to type.
package enum Spelling {
  /// The nearest of the known words, if it is near enough to be the intended one: the first of those at the same
  /// distance.
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

  /// How many letters must be inserted, removed, changed or swapped with their neighbour to make one word from the
  /// other, regardless of case.
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    let left = left.map(self.lowercased)
    let right = right.map(self.lowercased)
    // Each row holds the distances of one beginning of `left` to every beginning of `right`.
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var distance = min(last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          distance = min(distance, beforeLast[column - 1] + 1)
        }
        current.append(distance)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }

  private static func lowercased(_ letter: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) ? letter | 0x20 : letter
  }
}
