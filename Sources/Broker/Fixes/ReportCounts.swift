/// The number of reports, and their results.
struct ReportCounts: Hashable, Sendable {
  var reports = 0
  var fixes = 0
  var rejections: [String: Int] = [:]
}
