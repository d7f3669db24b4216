import Testing

@testable import Printable

@Suite("Spellings") struct SpellingTests {
  @Test(
    "are near if few letters differ",
    arguments: [
      ("kitten", "sitting", 3), ("", "abc", 3), ("abc", "", 3), ("same", "SAME", 0), ("ab", "ba", 1),
      ("radisu", "radius", 1),
    ])
  func distance(left: String, right: String, distance: Int) {
    #expect(Spelling.distance(Array(left.utf8), Array(right.utf8)) == distance)
  }
}
