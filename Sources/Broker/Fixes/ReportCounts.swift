/// How many reports came, and what became of them.
struct ReportCounts: Hashable, Sendable {
  var reports = 0
  var fixes = 0
  var rejections: [String: Int] = [:]
}
