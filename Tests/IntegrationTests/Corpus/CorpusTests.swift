import TestSupport
import Testing

/// Recorded logs of real receivers, each replayed through a real gpsd into the real daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)), .enabled(if: Corpus.folder != nil)) struct CorpusTests {
  /// How many logs are replayed at a time; each is mostly waiting.
  private static let fixtures = 5

  @Test func `every recorded receiver gives true fixes and no others`() async throws {
    let folder = try #require(Corpus.folder)
    try #require(!Corpus.logs.isEmpty, "no logs in \(folder)")
    let results = try await Self.replayAll(in: folder)
    for result in results { self.judge(result) }
    print(Self.table(of: results))
  }

  private func judge(_ result: ReplayResult) {
    let name = result.name
    #expect(result.isSameProcess, "\(name): the daemon ended: \(result.log)")
    #expect(!result.log.contains("error:"), "\(name): \(result.log)")

    for fix in result.fixes {
      #expect(result.wasReported(fix), "\(name): gpsd never reported \(fix)")
      #expect((-90...90).contains(fix.latitude) && (-180...180).contains(fix.longitude), "\(name): \(fix)")
      #expect(fix.accuracy.map { $0.isFinite && $0 > 0 } ?? true, "\(name): \(fix)")
      #expect(fix.accuracy95.map { $0.isFinite && $0 > 0 } ?? true, "\(name): \(fix)")
    }
    for (fix, next) in zip(result.fixes, result.fixes.dropFirst()) {
      #expect(next.arrival >= fix.arrival, "\(name): \(next) after \(fix)")
    }
    #expect(result.passiveFixes == result.fixes, "\(name): the passive subscription gets the same")

    // No fix is made of nothing, and no receiver with fixes is left without any.
    let usable = result.reports.count { $0.isUsable }
    #expect(result.fixes.isEmpty == (usable == 0), "\(name): \(result.fixes.count) fixes of \(usable) usable reports")
    #expect(result.fixes.count <= usable, "\(name): \(result.fixes.count) fixes of \(usable) usable reports")
    // The first epoch may have begun before the daemon watched; a report without time makes no epoch here.
    #expect(
      result.fixes.count >= result.usableEpochs - 2, "\(name): \(result.fixes.count) of \(result.usableEpochs) epochs")
    #expect(result.fixes.count == result.fixesCounted, "\(name)")

    switch name {
    case "tnt-revolution.log":
      // A compass: gpsd reports its heading and never a position.
      #expect(result.reports.isEmpty && result.received == 0)
    case "bu303-nofix.log":
      #expect(result.fixes.isEmpty && result.rejected["noFix", default: 0] > 0)
    case "u-blox-m8t-time.log":
      // A receiver that only keeps the time: gpsd reports that, and no mode.
      #expect(result.fixes.isEmpty && result.rejected["unknownMode", default: 0] > 0)
    case "garmin-geko201.log":
      #expect(result.fixes.isEmpty && result.reports.contains { $0.status == 8 })
    case _:
      #expect(!result.fixes.isEmpty, "\(name)")
    }
  }

  /// Replays every log, a few at a time, on threads of their own.
  private static func replayAll(in folder: String) async throws -> [ReplayResult] {
    try await withThrowingTaskGroup(of: ReplayResult.self) { group in
      var results: [ReplayResult] = []
      var waiting = Corpus.logs[...]
      func replayNext() {
        guard let name = waiting.popFirst() else { return }
        group.addTask { try await onOwnThread { try ReplayResult.replay(name, in: folder) } }
      }
      for _ in 0..<self.fixtures { replayNext() }
      while let result = try await group.next() {
        results.append(result)
        replayNext()
      }
      return results.sorted { $0.name < $1.name }
    }
  }

  /// The results of each log's reports, one line each.
  private static func table(of results: [ReplayResult]) -> String {
    let head = [["log", "replayed", "gpsd's TPVs", "usable", "epochs", "received", "fixes", "rejected"]]
    let rows = results.map { result in
      [
        result.name, "\(Int(result.seconds.rounded())) s (whole)", "\(result.reports.count)",
        "\(result.reports.count { $0.isUsable })", "\(result.usableEpochs)",
        "\(result.received)",
        "\(result.fixes.count)",
        result.rejected.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "),
      ]
    }
    let widths = (0..<7).map { column in (head + rows).map { $0[column].count }.max() ?? 0 }
    return (head + rows).map { row in
      zip(row, widths + [0]).map { text, width in text + String(repeating: " ", count: max(0, width - text.count)) }
        .joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
