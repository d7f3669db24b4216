import EventLoop
import Glibc
import JSONRPC
import Positioning
import TestSupport
import Testing

@testable import ControlCommands
@testable import History

/// What `positionctl history` reads and writes.
@Suite(.timeLimit(.minutes(TestDeadline.minutes)))
struct HistoryCommandTests {
  /// 2026-01-28T12:34:56Z, a Wednesday.
  private static let now = Timestamp(milliseconds: 1_769_603_696_000)
  /// Noon of the day before, in UTC.
  private static let noon = Timestamp(milliseconds: 1_769_515_200_000)
  private static let home = Coordinate(latitude: 48.137, longitude: 11.575)

  // MARK: Times

  @Test(
    "Times are read as people write them, by their own clock",
    arguments: [
      ("14:00", "2026-01-28T12:00:00.000Z"), ("15:00:30", "2026-01-27T13:00:30.000Z"),
      ("yesterday 9:30", "2026-01-27T07:30:00.000Z"), ("Yesterday 09:30", "2026-01-27T07:30:00.000Z"),
      ("today 0:00", "2026-01-27T22:00:00.000Z"), ("monday 18:00", "2026-01-26T16:00:00.000Z"),
      ("wed 1:00", "2026-01-20T23:00:00.000Z"), ("2026-01-31 14:00", "2026-01-31T12:00:00.000Z"),
      ("2026-01-31T14:00", "2026-01-31T12:00:00.000Z"), ("2026-01-31T13:00:00Z", "2026-01-31T13:00:00.000Z"),
      ("2h ago", "2026-01-28T10:34:56.000Z"), ("30min ago", "2026-01-28T12:04:56.000Z"),
      ("now", "2026-01-28T12:34:56.000Z"),
    ])
  func moments(text: String, moment: String) {
    let reader = TimeReader(clock: .ahead(of: .seconds(7200)), now: Self.now)
    #expect(reader.range(text).map { "\($0.lowerBound) \($0.upperBound)" } == "\(moment) \(moment)")
  }

  @Test(
    "A day is the whole of it, from midnight to midnight",
    arguments: [
      ("today", "2026-01-27T22:00:00.000Z 2026-01-28T21:59:59.999Z"),
      ("yesterday", "2026-01-26T22:00:00.000Z 2026-01-27T21:59:59.999Z"),
      ("sunday", "2026-01-24T22:00:00.000Z 2026-01-25T21:59:59.999Z"),
      ("wednesday", "2026-01-20T22:00:00.000Z 2026-01-21T21:59:59.999Z"),
      ("2024-02-29", "2024-02-28T22:00:00.000Z 2024-02-29T21:59:59.999Z"),
    ])
  func days(text: String, day: String) {
    let reader = TimeReader(clock: .ahead(of: .seconds(7200)), now: Self.now)
    #expect(reader.range(text).map { "\($0.lowerBound) \($0.upperBound)" } == day)
  }

  @Test(
    "What is no time is refused with examples",
    arguments: [
      "", "tomorrow", "25:00", "9", "9:60", "yesterday 9", "9:30 yesterday", "2026-02-30", "2026-13-01",
      "yesterday 24:00",
      "a b c", "ago",
    ])
  func nonsense(text: String) async throws {
    let reader = TimeReader(clock: .ahead(of: .seconds(7200)), now: Self.now)
    #expect(reader.range(text) == nil)
    let folder = try TemporaryFolder()
    _ = try self.history(in: folder)
    let run = try await self.run(["history", "at", text], in: folder)
    #expect(run.code == 1 && run.errors.contains("yesterday 9:30"), "\(run.errors)")
  }

  // MARK: Commands

  /// Two visits of a place, at noon and an hour later, with a way of 5 km between them.
  private func history(in folder: TemporaryFolder) throws -> HistoryFile {
    let file = try HistoryFile.open(folder.file("history.db"), creates: true)
    var records: [HistoryRecord] = []
    for number in 0..<90 {
      var place = Self.home
      if (10..<60).contains(number) { place.latitude += 0.001 * Double(min(number - 9, 60 - number)) }
      var fix = Fix(
        latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: 4.2, altitude: 545,
        verticalAccuracy: 7,
        speed: 2, course: 10, arrival: .boot, satellitesUsed: 9)
      fix.integrity = .trusted
      let time = Self.noon + .seconds(60 * number)
      records.append(.fix(try #require(HistoryFix(fix, at: time, beginsSegment: number == 0))))
    }
    records.append(.power(PowerChange(time: Self.noon, isOn: true)))
    records.append(.power(PowerChange(time: Self.noon + .seconds(5400), isOn: false)))
    records.append(.passage(Passage(time: Self.noon, region: "home <&>", kind: .enter, place: Self.home)))
    try file.record(records)
    return file
  }

  private func run(_ words: [String], in folder: TemporaryFolder) async throws -> CommandRun {
    var setting = CommandRun.Setting()
    setting.environment = ["POSITIOND_HISTORY": folder.file("history.db")]
    setting.localClock = .ahead(of: .seconds(7200))
    return try await CommandRun.of(words, setting)
  }

  private func objects(_ text: String) throws -> [JSONValue] {
    try text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
  }

  @Test func `near lists each time at a place with its nearest distance, and says so when there is none`() async throws
  {
    let folder = try TemporaryFolder()
    _ = try self.history(in: folder)
    let times = try self.objects(
      await self.run(["history", "near", "48.137,11.575,200m", "--json"], in: folder).output)
    #expect(times.map { $0["from"] } == ["2026-01-27T12:00:00.000Z", "2026-01-27T12:59:00.000Z"])
    #expect(times.map { $0["until"] } == ["2026-01-27T12:10:00.000Z", "2026-01-27T13:29:00.000Z"])
    #expect(times.map { $0["distance"] } == [0, 0])
    let one = try await self.run(
      ["history", "near", "48.137,11.575,200m", "--from", "2026-01-27 14:30"], in: folder)
    #expect(one.output == "2026-01-27 14:59:00 to 15:29:00, nearest 0 m\n", "\(one.output)\(one.errors)")
    let none = try await self.run(["history", "near", "47,11,1km"], in: folder)
    #expect(none.code == 0 && none.output.contains("never"), "\(none.errors)")
    let wrong = try await self.run(["history", "near", "48.137,11.575"], in: folder)
    #expect(wrong.code == 64)
    let reversed = try await self.run(
      ["history", "near", "48,11,1km", "--from", "2026-01-02", "--to", "2026-01-01"], in: folder)
    #expect(reversed.code == 1 && reversed.errors.contains("--from is later than --to"), "\(reversed.errors)")
  }

  @Test func `export writes a whole copy or OwnTracks' JSON, for its user only, and replaces no file unasked`()
    async throws
  {
    let folder = try TemporaryFolder()
    let history = try self.history(in: folder)
    let (copy, positions) = (folder.file("copy.db"), folder.file("positions.json"))
    for path in [copy, positions] {
      let run = try await self.run(["history", "export", path], in: folder)
      #expect(run.code == 0 && run.output == "\(path): 90 fixes\n", "\(run.errors)")
      #expect(try SystemDisk().status(of: path).get().mode & 0o777 == 0o600)
      let again = try await self.run(["history", "export", path], in: folder)
      #expect(again.code == 1, "\(again.errors)")
      let replaced = try await self.run(["history", "export", path, "--overwrite"], in: folder)
      #expect(replaced.code == 0, "\(replaced.errors)")
    }
    #expect(try HistoryFile.open(copy, creates: false).fixes(in: .all) == history.fixes(in: .all))
    let lines = try self.objects(readFile(positions))
    #expect(lines.count == 90)
    #expect(
      lines.first == [
        "_type": "location", "lat": 48.137, "lon": 11.575, "tst": .integer(Int(Self.noon.milliseconds / 1000)),
        "acc": 5,
        "alt": 545, "vac": 7, "vel": 7, "cog": 10,
      ], "\(lines.first ?? .null)")
    let other = try await self.run(["history", "export", folder.file("track.gpx")], in: folder)
    #expect(other.code == 64 && other.errors.contains("history track"), "\(other.errors)")
  }

  @Test func `the report of a day is one page that refers to nothing else, for its user only`() async throws {
    let folder = try TemporaryFolder()
    _ = try self.history(in: folder)
    let path = folder.file("day.html")
    let run = try await self.run(["history", "report", "-o", path, "2026-01-27"], in: folder)
    #expect(run.code == 0 && run.output == "\(path): 90 fixes\n", "\(run.errors)")
    #expect(try SystemDisk().status(of: path).get().mode & 0o777 == 0o600)
    let page = try readFile(path)
    for part in ["<h1>2026-01-27</h1>", "90 fixes, ", "the receiver was on for 90 min", "14:00", "home &lt;&amp;&gt;"] {
      #expect(page.contains(part), "\(part)")
    }
    #expect(page.split(separator: "<svg").count == 4)
    // No address but the name of SVG's own words.
    let foreign = page.split(separator: "\"").filter { $0.contains("//") && $0 != "http://www.w3.org/2000/svg" }
    #expect(foreign.isEmpty && !page.contains("<script") && !page.contains("url(h"), "\(foreign)")
    let empty = try await self.run(["history", "report", "-o", folder.file("empty.html"), "2026-01-01"], in: folder)
    #expect(empty.code == 0)
    #expect(try readFile(folder.file("empty.html")).contains("<p>no fix</p>"))
    let unnamed = try await self.run(["history", "report", "-o", folder.file("day.pdf")], in: folder)
    #expect(unnamed.code == 64 && unnamed.errors.contains(".html"), "\(unnamed.errors)")
  }
}
