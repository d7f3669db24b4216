import Glibc

/// The comparison as a chart: for each workload one bar for each strategy, as long as its charge over that of the bound, on
/// a logarithmic scale. A bar is pale where less than 99.5 % of the deadlines were kept.
struct Chart {
  let comparisons: [Comparison]

  private static let left = 300.0
  private static let width = 560.0
  private static let barHeight = 13.0
  private static let gap = 30.0
  private static let top = 70.0
  /// The scale, from and to.
  private static let least = 0.5
  private static let colours = ["#9e9e9e", "#6d4c41", "#43a047", "#fb8c00", "#1e63d6", "#222222"]

  private var most: Double { max(10, self.comparisons.flatMap(\.rows).map(\.ratio).max() ?? 10) * 1.3 }

  private func x(_ ratio: Double) -> Double {
    Self.left + Self.width * log(max(ratio, Self.least) / Self.least) / log(self.most / Self.least)
  }

  var svg: String {
    let rows = self.comparisons.first?.rows.count ?? 0
    let block = Double(rows) * Self.barHeight + Self.gap
    let height = Self.top + block * Double(self.comparisons.count) + 20
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" width="960" height="\(rounded(height, 0))" font-family="sans-serif" \
      font-size="12">
      """,
      "<title>What the receiver draws, over the bound</title>",
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
      "<text x=\"20\" y=\"24\" font-size=\"16\">What the receiver draws, over the bound</text>",
      "<text x=\"20\" y=\"44\" fill=\"#555\">pale: less than 99.5 % of the deadlines kept</text>",
    ]
    for tick in [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] where tick <= self.most {
      let x = rounded(self.x(tick), 1)
      lines.append(
        "<line x1=\"\(x)\" x2=\"\(x)\" y1=\"\(Self.top - 6)\" y2=\"\(rounded(height - 14, 0))\" stroke=\"#ddd\"/>")
      let label = tick < 1 ? rounded(tick, 1) : rounded(tick, 0)
      lines.append("<text x=\"\(x)\" y=\"\(Self.top - 10)\" text-anchor=\"middle\" fill=\"#555\">\(label)</text>")
    }
    for (index, comparison) in self.comparisons.enumerated() {
      lines += self.block(comparison, at: Self.top + block * Double(index))
    }
    return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private func block(_ comparison: Comparison, at top: Double) -> [String] {
    var lines = ["<text x=\"20\" y=\"\(rounded(top + 12, 0))\" font-weight=\"bold\">\(comparison.workload)</text>"]
    for (index, row) in comparison.rows.enumerated() {
      let y = top + 18 + Double(index) * Self.barHeight
      let isKept = row.outcome.kept ?? 1 >= 0.995
      let colour = Self.colours[index % Self.colours.count]
      let end = self.x(row.ratio)
      lines.append(
        """
        <text x="\(rounded(Self.left - 8, 0))" y="\(rounded(y + 10, 0))" text-anchor="end" font-size="11">\
        \(row.strategy)</text>\
        <rect x="\(rounded(Self.left, 0))" y="\(rounded(y + 1, 0))" width="\(rounded(max(end - Self.left, 1), 1))" \
        height="\(rounded(Self.barHeight - 3, 0))" fill="\(colour)" fill-opacity="\(isKept ? "1" : "0.35")"/>\
        <text x="\(rounded(end + 5, 1))" y="\(rounded(y + 10, 0))" font-size="10" fill="#555">\
        \(rounded(row.ratio, 2)) · \(row.outcome.kept.map(percent) ?? "no deadline")</text>
        """)
    }
    return lines
  }
}
