import EventLoop
import TestSupport
import Testing

@testable import ReceiverSimulator

/// Recorded logs of real receivers, if POSITIOND_CORPUS names their folder.
@Suite("Real receivers' logs", .timeLimit(.minutes(TestDeadline.minutes)), .enabled(if: Corpus.folder != nil))
struct CorpusTests {
  @Test("every log is played to its reader as it was recorded", arguments: Corpus.logs)
  func playedWhole(name: String) async throws {
    try await withLoop { loop in
      let bytes = try File.read(try #require(Corpus.folder) + "/" + name)
      let log = ReplayLog(bytes)
      let player = ReplayPlayer(log, pace: .reader, on: loop)
      try player.start()
      let reader = try SerialReader(try #require(player.path), on: loop)
      let expected = Array(log.pieces.joined())
      try loop.drive(until: "the end of \(name)") { reader.bytes.count >= expected.count }
      #expect(reader.bytes == expected)
      // Only comments may be missing, and they are small compared with the recording.
      #expect(expected.count > bytes.count / 2)
      #expect(expected.first != UInt8(ascii: "#"))
    }
  }

  @Test(
    "gpsd reads a played log like the receiver", arguments: ["bu353s4.log", "ublox-8.log", "rst39.log"])
  func readByGpsd(name: String) async throws {
    try #require(Corpus.logs.contains(name), "the corpus lacks it")
    try await withLoop { loop in
      let folder = try TemporaryFolder()
      let log = ReplayLog(try File.read(try #require(Corpus.folder) + "/" + name))
      // Slow enough that gpsd has identified the receiver before the log is over.
      let seconds = 10.0
      let speed = Double(log.pieces.joined().count * 10) / seconds
      let player = ReplayPlayer(log, pace: .line(speed: Int(speed), factor: 1), on: loop)
      try player.start()
      let gpsd = try GpsdProcess(devices: [try #require(player.path)], folder: folder.path, on: loop)
      let reader = try GpsdReader(port: gpsd.port, on: loop)
      try loop.drive(until: "a fix of \(name)") {
        reader.reports(named: "TPV").contains { ($0.mode ?? 0) >= 2 && $0.lat != nil }
      }
      withExtendedLifetime(gpsd) {}
    }
  }
}
