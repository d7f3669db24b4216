import TestSupport
import Testing

/// Recorded logs of real receivers, each played through a real gpsd into the real daemon.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)), .enabled(if: Corpus.folder != nil)) struct CorpusTests {
  /// How many logs are played at a time; each play is mostly waiting.
  private static let stages = 5

  @Test func `every recorded receiver gives true fixes and no other`() async throws {
    let folder = try #require(Corpus.folder)
    try #require(!Corpus.logs.isEmpty, "no logs in \(folder)")
    let performances = try await Self.playAll(in: folder)
    for performance in performances { self.judge(performance) }
    print(Self.table(of: performances))
  }

  private func judge(_ play: Performance) {
    let name = play.name
    #expect(play.isSameProcess, "\(name): the daemon ended: \(play.log)")
    #expect(!play.log.contains("error:"), "\(name): \(play.log)")

    for fix in play.fixes {
      #expect(play.wasReported(fix), "\(name): gpsd never told \(fix)")
      #expect((-90...90).contains(fix.latitude) && (-180...180).contains(fix.longitude), "\(name): \(fix)")
      #expect(fix.accuracy.map { $0.isFinite && $0 > 0 } ?? true, "\(name): \(fix)")
      #expect(fix.accuracy95.map { $0.isFinite && $0 > 0 } ?? true, "\(name): \(fix)")
    }
    for (fix, next) in zip(play.fixes, play.fixes.dropFirst()) {
      #expect(next.arrival >= fix.arrival, "\(name): \(next) after \(fix)")
    }
    #expect(play.passiveFixes == play.fixes, "\(name): who rides along gets the same")

    // Neither is a fix made of nothing, nor can a receiver that has fixes be left without any.
    let usable = play.reports.count { $0.isUsable }
    #expect(play.fixes.isEmpty == (usable == 0), "\(name): \(play.fixes.count) fixes of \(usable) usable reports")
    #expect(play.fixes.count <= usable, "\(name): \(play.fixes.count) fixes of \(usable) usable reports")
    // At the start the daemon may watch a moment later than the other client; a report without time makes no epoch here.
    #expect(play.fixes.count >= play.usableEpochs - 2, "\(name): \(play.fixes.count) of \(play.usableEpochs) epochs")
    #expect(play.fixes.count == play.fixesCounted, "\(name)")

    switch name {
    case "tnt-revolution.log":
      // A compass: gpsd tells its heading and never a position.
      #expect(play.reports.isEmpty && play.received == 0)
    case "bu303-nofix.log":
      #expect(play.fixes.isEmpty && play.rejected["noFix", default: 0] > 0)
    case "garmin-geko201.log":
      #expect(play.fixes.isEmpty && play.reports.contains { $0.status == 8 })
    case _:
      #expect(!play.fixes.isEmpty, "\(name)")
    }
  }

  /// Plays every log, a few at a time, on threads of their own.
  private static func playAll(in folder: String) async throws -> [Performance] {
    try await withThrowingTaskGroup(of: Performance.self) { group in
      var performances: [Performance] = []
      var waiting = Corpus.logs[...]
      func playNext() {
        guard let name = waiting.popFirst() else { return }
        group.addTask { try await onOwnThread { try Performance.play(name, in: folder) } }
      }
      for _ in 0..<self.stages { playNext() }
      while let performance = try await group.next() {
        performances.append(performance)
        playNext()
      }
      return performances.sorted { $0.name < $1.name }
    }
  }

  /// What became of each log's reports, one line each.
  private static func table(of performances: [Performance]) -> String {
    let head = [["log", "played", "gpsd's TPVs", "usable", "epochs", "received", "fixes", "rejected"]]
    let rows = performances.map { play in
      [
        play.name, "\(Int(play.seconds.rounded())) s (whole)", "\(play.reports.count)",
        "\(play.reports.count { $0.isUsable })", "\(play.usableEpochs)",
        "\(play.received)",
        "\(play.fixes.count)",
        play.rejected.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "),
      ]
    }
    let widths = (0..<7).map { column in (head + rows).map { $0[column].count }.max() ?? 0 }
    return (head + rows).map { row in
      zip(row, widths + [0]).map { text, width in text + String(repeating: " ", count: max(0, width - text.count)) }
        .joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
