import Printable

/// One thing of a panel: its name, and phrases about it, the most important first.
///
/// What does not fit goes, phrase by phrase from the end; a first phrase that is too long is cut between words.
struct Row {
  let label: String
  let phrases: [String]
  let emphasis: Line.Emphasis?
  /// The lower, the longer it stays when there is no room.
  let importance: Int

  init(_ label: String, _ phrases: [String?], _ emphasis: Line.Emphasis? = nil, importance: Int) {
    self.label = label
    self.phrases = phrases.compactMap { $0 }
    self.emphasis = emphasis
    self.importance = importance
  }

  static let labelWidth = 10

  /// - Parameters:
  ///   - width: The columns of a line.
  ///   - limit: The most lines.
  func lines(width: Int, limit: Int, _ glyphs: Glyphs) -> [Line] {
    guard limit > 0 else { return [] }
    let room = width - Self.labelWidth - 1
    let texts = self.texts(room, limit, glyphs)
    return texts.enumerated().map { place, text in
      Line((place == 0 ? self.label : "").padded(Self.labelWidth) + " ", .dim) + Line(text, self.emphasis)
    }
  }

  /// How many lines all its phrases take.
  func wanted(width: Int, _ glyphs: Glyphs) -> Int { self.lines(width: width, limit: .max, glyphs).count }

  private func texts(_ room: Int, _ limit: Int, _ glyphs: Glyphs) -> [String] {
    let known = self.phrases.map { glyphs.text($0) }
    // One whose word is too long for a line goes as a whole, unless it is alone.
    let fitting = known.filter { $0.split(separator: " ").allSatisfy { $0.columns <= room - 1 } }
    let phrases = fitting.isEmpty ? Array(known.prefix(1)) : fitting
    for count in stride(from: phrases.count, to: 1, by: -1) {
      let lines = Wrapping.lines(phrases.prefix(count).joined(separator: ", "), width: room, glyphs)
      if lines.count <= limit { return lines }
    }
    return Wrapping.lines(phrases.first ?? "", width: room, limit: limit, glyphs)
  }
}

/// Breaks text between words.
enum Wrapping {
  /// - Parameter limit: The most lines; an ellipsis stands for what does not fit, and for a word that is too long.
  static func lines(_ text: String, width: Int, limit: Int = .max, _ glyphs: Glyphs) -> [String] {
    var lines = [""]
    let words = text.split(separator: " ").map { $0.columns <= width ? String($0) : glyphs.ellipsis }
    for word in words {
      let separator = lines[lines.count - 1].isEmpty ? "" : " "
      let isFull = lines[lines.count - 1].columns + separator.columns + word.columns > width
      if isFull, lines.count == limit {
        return Self.cut(lines, width, glyphs)
      } else if isFull {
        lines.append(word)
      } else {
        lines[lines.count - 1] += separator + word
      }
    }
    return lines
  }

  /// Ends the last line with an ellipsis, in place of as many words as that takes.
  private static func cut(_ lines: [String], _ width: Int, _ glyphs: Glyphs) -> [String] {
    var words = lines[lines.count - 1].split(separator: " ").map(String.init)
    while !words.isEmpty, (words + [glyphs.ellipsis]).joined(separator: " ").columns > width { words.removeLast() }
    let last = (words + [glyphs.ellipsis]).joined(separator: " ")
    return lines.dropLast() + [last.columns <= width ? last : ""]
  }
}

extension [Row] {
  /// As many rows as fit, in their order: first a line of each, the most important first, then all that they have to say.
  func lines(width: Int, height: Int, _ glyphs: Glyphs) -> [Line] {
    var limits = [Int](repeating: 0, count: self.count)
    var left = height
    let order = self.indices.sorted { (self[$0].importance, $0) < (self[$1].importance, $1) }
    for place in order where left > 0 {
      limits[place] = 1
      left -= 1
    }
    for place in order where left > 0 && limits[place] > 0 {
      let more = Swift.min(left, self[place].wanted(width: width, glyphs) - 1)
      limits[place] += more
      left -= more
    }
    return zip(self, limits).flatMap { row, limit in row.lines(width: width, limit: limit, glyphs) }
  }
}
