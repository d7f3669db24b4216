/// A part of the screen about one subject.
struct Panel {
  let title: String
  /// The lower, the longer it stays when there is no room.
  let importance: Int
  /// The fewest lines with which it says something.
  let least: Int
  /// The lines with which it says what it is there for, before less important panels have any.
  let usual: Int
  /// The lines that it would like to have.
  let wanted: Int
  /// At most so many lines of at most the width that it was made for.
  let lines: (_ height: Int) -> [Line]

  init(
    _ title: String, importance: Int, least: Int, usual: Int? = nil, wanted: Int,
    lines: @escaping (_ height: Int) -> [Line]
  ) {
    self.title = title
    self.importance = importance
    self.least = least
    self.usual = max(least, usual ?? least)
    self.wanted = max(self.usual, wanted)
    self.lines = lines
  }

  /// A panel of rows.
  init(_ title: String, importance: Int, least: Int, _ rows: [Row], width: Int, _ glyphs: Glyphs) {
    let wanted = rows.reduce(0) { $0 + $1.wanted(width: width, glyphs) }
    self.init(title, importance: importance, least: min(least, wanted), wanted: wanted) { height in
      rows.lines(width: width, height: height, glyphs)
    }
  }
}

/// Panels below each other.
enum Stack {
  /// Exactly so many lines of the width.
  ///
  /// - Parameter isTitled: Whether each panel has a line with its title.
  static func lines(_ panels: [Panel], width: Int, height: Int, isTitled: Bool, _ glyphs: Glyphs) -> [Line] {
    let heights = self.heights(panels, height: height, overhead: isTitled ? 1 : 0)
    var lines: [Line] = []
    for (panel, height) in zip(panels, heights) {
      guard let height else { continue }
      if isTitled { lines.append(self.title(panel.title, width: width, glyphs)) }
      let body = panel.lines(height).prefix(height)
      lines += body + Array(repeating: "", count: height - body.count)
    }
    lines += Array(repeating: "", count: max(0, height - lines.count))
    return lines.map { $0.filled(width) }
  }

  /// The lines of each panel, without its title; `nil`: there is no room for it.
  private static func heights(_ panels: [Panel], height: Int, overhead: Int) -> [Int?] {
    let order = panels.indices.sorted { (panels[$0].importance, $0) < (panels[$1].importance, $1) }
    var heights = [Int?](repeating: nil, count: panels.count)
    var left = height
    for place in order {
      let sizes = [panels[place].usual, panels[place].least]
      guard let size = sizes.first(where: { $0 + overhead <= left }) else { continue }
      heights[place] = size
      left -= size + overhead
    }
    for place in order {
      guard let size = heights[place] else { continue }
      let more = min(left, panels[place].wanted - size)
      heights[place] = size + more
      left -= more
    }
    return heights
  }

  private static func title(_ title: String, width: Int, _ glyphs: Glyphs) -> Line {
    let text = "\(glyphs.rule)\(glyphs.rule) \(title) "
    return Line(text + String(repeating: glyphs.rule, count: max(0, width - text.columns)), .dim)
  }
}

/// Stacks beside each other.
enum Columns {
  static let gap = 2

  static func lines(_ columns: [[Line]]) -> [Line] {
    guard let first = columns.first else { return [] }
    return first.indices.map { row in
      columns.dropFirst().reduce(first[row]) { $0 + Line(String(repeating: " ", count: Self.gap)) + $1[row] }
    }
  }
}
