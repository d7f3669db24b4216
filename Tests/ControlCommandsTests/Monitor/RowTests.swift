import Testing

@testable import ControlCommands

/// What goes when there is no room.
struct RowTests {
  private static let row = Row("Kind", ["3D", "9 satellites", "/dev/ttyACM0"], importance: 1)

  private static func written(_ lines: [Line]) -> [String] { lines.map { $0.written(isColored: false) } }

  @Test(
    "Phrases that do not fit go, the last first",
    arguments: [
      (60, 1, ["Kind       3D, 9 satellites, /dev/ttyACM0"]), (30, 1, ["Kind       3D, 9 satellites"]),
      (20, 1, ["Kind       3D"]), (30, 2, ["Kind       3D, 9 satellites,", "           /dev/ttyACM0"]),
      (60, 0, []),
    ])
  func phrases(width: Int, limit: Int, lines: [String]) {
    #expect(Self.written(Self.row.lines(width: width, limit: limit, .unicode)) == lines)
  }

  @Test("A first phrase that is too long is cut between words, with an ellipsis")
  func ellipsis() {
    let row = Row("gpsd", ["gpsd refuses connections at 127.0.0.1:2947"], importance: 1)
    #expect(Self.written(row.lines(width: 32, limit: 1, .unicode)) == ["gpsd       gpsd refuses …"])
    #expect(Self.written(row.lines(width: 32, limit: 1, .ascii)) == ["gpsd       gpsd refuses ..."])
    #expect(Wrapping.lines("a/very/long/path is here", width: 8, .unicode) == ["… is", "here"])
  }

  @Test("The important rows get their first line first, and more of it when all have one")
  func rows() {
    let rows = [
      Row("One", ["a long sentence in several words"], importance: 2), Row("Two", ["short"], importance: 1),
      Row("Three", ["also"], importance: 3),
    ]
    #expect(
      Self.written(rows.lines(width: 30, height: 2, .unicode))
        == ["One        a long sentence in …", "Two        short"].map { $0.replacing("in …", with: "…") })
    #expect(Self.written(rows.lines(width: 30, height: 1, .unicode)) == ["Two        short"])
    #expect(
      Self.written(rows.lines(width: 30, height: 4, .unicode)) == [
        "One        a long sentence in", "           several words", "Two        short", "Three      also",
      ])
  }

  @Test("Wide characters take two columns, and in ASCII others are question marks")
  func characters() {
    #expect("地図 a".columns == 6)
    #expect(Glyphs.ascii.text("±3 m, 271°, 地図…") == "+/-3 m, 271 deg, \\u{5730}\\u{56f3}...")
    #expect(Glyphs.unicode.text("a\u{1b}[2J") == "a\\u{1b}[2J")
  }

  @Test("A more important panel has its usual size before a less important one has any")
  func stack() {
    func panel(_ title: String, _ importance: Int, least: Int, usual: Int, wanted: Int) -> Panel {
      Panel(title, importance: importance, least: least, usual: usual, wanted: wanted) { height in
        (0..<height).map { _ in Line(title) }
      }
    }
    let panels = [
      panel("a", 2, least: 1, usual: 1, wanted: 9), panel("b", 1, least: 1, usual: 4, wanted: 5),
      panel("c", 3, least: 3, usual: 3, wanted: 3),
    ]
    func heights(_ height: Int) -> [Int] {
      let lines = Self.written(Stack.lines(panels, width: 1, height: height, isTitled: false, .unicode))
      return ["a", "b", "c"].map { title in lines.count { $0 == title } }
    }
    #expect(heights(8) == [1, 4, 3])
    #expect(heights(6) == [1, 5, 0])
    #expect(heights(3) == [1, 2, 0])
    #expect(heights(20) == [9, 5, 3])
  }
}
