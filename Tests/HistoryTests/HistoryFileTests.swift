import EventLoop
import Glibc
import Positioning
import SQLite
import Testing

@testable import History

/// The file: what is recorded, found, kept, and forgotten.
@Suite struct HistoryFileTests {
  private let folder: TemporaryFolder
  private var path: String { self.folder.file("positiond/history.db") }

  init() throws { self.folder = try TemporaryFolder() }

  private func opened(_ fixes: [HistoryFix] = []) throws -> HistoryFile {
    let file = try HistoryFile.open(self.path, creates: true)
    for fix in fixes { try file.record([.fix(fix)]) }
    return file
  }

  private func bytes() throws -> [UInt8] {
    try ["", "-wal"].flatMap { suffix in
      SystemDisk().exists(self.path + suffix) ? try SystemDisk().read(self.path + suffix, limit: 1 << 30) : []
    }
  }

  @Test func `the fixes of a time are found after they were packed and before, in a file of its owner alone`() throws {
    let fixes = Sample.fixes(700, seed: 1)
    let file = try self.opened(fixes)
    #expect(try file.fixes(in: .all) == fixes && file.count() == 700)
    #expect(try file.fixes(in: fixes[100].time...fixes[650].time) == Array(fixes[100...650]))
    #expect(try file.extent() == fixes[0].time...fixes[699].time)
    let status = try SystemDisk().status(of: self.path).get()
    #expect(status.mode & 0o777 == 0o600)
    let again = try HistoryFile.open(self.path, creates: false)
    #expect(try again.fixes(in: .all) == fixes)
  }

  @Test func `the fixes around any time are the last before and the first after`() throws {
    let fixes = Sample.fixes(600, seed: 2, every: .seconds(600))
    let file = try self.opened(fixes)
    for place in stride(from: 0, to: 599, by: 7) {
      let found = try file.around(fixes[place].time + .seconds(60))
      #expect(found.before == fixes[place] && found.after == fixes[place + 1])
    }
    #expect(try file.around(fixes[0].time + .seconds(-1)).before == nil)
    #expect(try file.around(fixes[599].time).after == nil)
  }

  @Test func `a file that others may read, of another program, or of a later version is refused, and says why`() throws
  {
    _ = try self.opened()
    #expect(unsafe chmod(self.path, 0o640) == 0)
    #expect(self.refusal?.contains("chmod 600 \(self.path)") == true)
    #expect(unsafe chmod(self.path, 0o600) == 0)
    try Database(path: self.path).script("PRAGMA user_version = 99")
    #expect(self.refusal?.contains("made by a later positiond-history") == true)
    try Database(path: self.path).script("PRAGMA user_version = 1; PRAGMA application_id = 5")
    #expect(self.refusal?.contains("another program") == true)
  }

  private var refusal: String? {
    do throws(StoreError) {
      _ = try HistoryFile.open(self.path, creates: false)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func `damaged fixes are an error that says where`() throws {
    let file = try self.opened(Sample.fixes(200, seed: 3))
    try file.database.run("UPDATE block SET fixes = ?", [UInt8](repeating: 0xFF, count: 20))
    #expect(throws: StoreError.self) { try file.fixes(in: .all) }
  }

  @Test func `stays, events, gaps and the receiver's power are found by their time`() throws {
    let file = try self.opened()
    let start = Sample.start
    let home = Coordinate(latitude: 48, longitude: 11)
    var stay = Stay(number: 4, place: home, accuracy: 12, arrival: start, departure: nil)
    try file.record([.stay(stay), .gapBegan(.unneeded, at: start), .power(PowerChange(time: start, isOn: true))])
    #expect(try file.stays(in: start + .seconds(60)...start + .seconds(90)) == [stay])
    stay.departure = start + .seconds(3600)
    let passage = Passage(time: start, region: "home", kind: .enter, place: home)
    try file.record([.stay(stay), .gapEnded(at: start + .seconds(60)), .passage(passage), .event(9)])
    #expect(try file.stays() == [stay] && file.passages() == [passage] && file.lastEvent() == 9)
    #expect(try file.gaps() == [Gap(start: start, end: start + .seconds(60), cause: .unneeded)])
    #expect(try file.power(in: start + .seconds(5)...start + .seconds(6)) == [PowerChange(time: start, isOn: true)])
    #expect(try file.stays(in: start + .seconds(3601)...start + .seconds(4000)).isEmpty)
  }

  @Test func `a failing record leaves nothing of its transaction`() throws {
    let file = try self.opened()
    try file.database.script("CREATE TRIGGER full BEFORE INSERT ON passage BEGIN SELECT raise(ABORT, 'full'); END")
    let fix = try #require(Sample.fixes(1, seed: 1).first)
    #expect(throws: StoreError.self) {
      try file.record([.fix(fix), .passage(Passage(time: fix.time, region: "a", kind: .enter, place: nil)), .event(3)])
    }
    #expect(try file.count() == 0 && file.lastEvent() == nil)
  }

  @Test func `nothing of a pause is recorded, also when it comes later`() throws {
    let fixes = Sample.fixes(100, seed: 5)
    let file = try self.opened()
    try file.pause(until: fixes[0].time + .seconds(50), now: fixes[0].time + .seconds(10))
    for fix in fixes { try file.record([.fix(fix)]) }
    let (from, to) = (fixes[0].time + .seconds(10), fixes[0].time + .seconds(50))
    #expect(try file.fixes(in: .all) == fixes.filter { $0.time < from || $0.time > to })
    try file.pause(until: from, now: from)
    #expect(try file.gaps().first?.end == from)
  }

  // MARK: Keeping

  @Test func `age thins: all of a week, then one a minute, then what the ways need; and limits delete the oldest days`()
    throws
  {
    let fixes = Sample.fixes(20_000, seed: 8, every: .seconds(10))
    let file = try self.opened(fixes)
    var limits = KeepingLimits()
    func keep(after days: Int) throws {
      while try file.keepWithin(limits, now: Sample.start + .seconds(86_400 * days)) {}
    }
    try keep(after: 5)
    #expect(try file.count() == 20_000)
    try keep(after: 12)
    let minutes = try file.fixes(in: .all)
    #expect((3300...3400).contains(minutes.count), "\(minutes.count)")
    try keep(after: 12)
    #expect(try file.fixes(in: .all) == minutes)
    try keep(after: 100)
    let ways = try file.fixes(in: .all)
    #expect(ways.count < minutes.count)
    // Where something is left out, the even way is as near as the receiver knew.
    for fix in minutes {
      let around = try file.around(fix.time)
      guard let before = around.before, let after = around.after else { continue }
      let place = Interpolation.place(from: before, to: after, at: fix.time)
      #expect(place.plainDistance(to: fix.coordinate) <= max(Thinning.finest, fix.accuracy ?? 0) + 0.01)
    }
    limits.days = 99
    try keep(after: 100)
    let rest = try file.fixes(in: .all)
    #expect(!rest.isEmpty && rest.allSatisfy { $0.time.day >= (Sample.start + .seconds(86_400)).day })
  }

  @Test func `a file that is too large loses its oldest days`() throws {
    let fixes = Sample.fixes(20_000, seed: 9, every: .seconds(60))
    let file = try self.opened(fixes)
    var limits = KeepingLimits()
    (limits.wholeDays, limits.minuteDays, limits.bytes) = (1000, 1000, try file.usedBytes() / 2)
    while try file.keepWithin(limits, now: fixes[19_999].time) {}
    #expect(try file.usedBytes() <= limits.bytes && file.count() > 5000)
    #expect(try file.extent()?.upperBound == fixes[19_999].time)
  }

  // MARK: Forgetting

  @Test func `of a forgotten time no byte is left in the file or beside it, and the rest stays`() throws {
    let fixes = Sample.fixes(900, seed: 11)
    let file = try self.opened(fixes)
    let other = try HistoryFile.open(self.path, creates: false)
    try file.record([.passage(Passage(time: fixes[450].time, region: "a secret place", kind: .enter, place: nil))])
    let pieces = try file.forgettable(Array(fixes[380...520]))
    let all = try self.bytes()
    #expect(!pieces.isEmpty && pieces.allSatisfy { all.has($0) })
    try other.forget(fixes[380].time...fixes[520].time)
    let left = try self.bytes()
    #expect(!left.has(Array("a secret place".utf8)))
    for piece in pieces { #expect(!left.has(piece)) }
    var expected = Array(fixes[..<380]) + fixes[521...]
    expected[380].beginsSegment = true
    #expect(try file.fixes(in: .all) == expected)
    try file.record([.fix(fixes[450])])
    #expect(try file.count() == 760)
  }

  @Test func `what was near a place is forgotten with its stays and its region`() throws {
    let fixes = Sample.fixes(900, seed: 12)
    let file = try self.opened(fixes)
    let circle = HistoryCircle(centre: fixes[450].coordinate, radius: 60)
    let stay = Stay(place: fixes[450].coordinate, accuracy: 5, arrival: fixes[440].time, departure: fixes[460].time)
    try file.record([
      .stay(stay), .passage(Passage(time: fixes[440].time, region: "b", kind: .enter, place: fixes[450].coordinate)),
      .passage(Passage(time: fixes[880].time, region: "b", kind: .dwell, place: nil)),
    ])
    #expect(try !file.nearness(to: circle).isEmpty)
    try file.forget(circle)
    #expect(try file.nearness(to: circle).isEmpty && file.stays().isEmpty && file.passages().isEmpty)
    let left = try file.fixes(in: .all)
    #expect(left.map(\.time) == fixes.filter { !circle.contains($0.coordinate) }.map(\.time))
    // No way leads over what is gone.
    for (before, after) in zip(left, left.dropFirst()) where after.time - before.time > .seconds(3) {
      #expect(after.beginsSegment)
    }
  }

  @Test func `everything is forgotten`() throws {
    let fixes = Sample.fixes(300, seed: 13)
    let file = try self.opened(fixes)
    let pieces = try file.forgettable(fixes)
    try file.forget(.all)
    let left = try self.bytes()
    #expect(try file.count() == 0)
    for piece in pieces { #expect(!left.has(piece)) }
  }

  // MARK: Merging

  @Test func `a copy is whole and private, and merging it again adds nothing`() throws {
    let fixes = Sample.fixes(500, seed: 14)
    let file = try self.opened(fixes)
    try file.record([
      .stay(Stay(place: fixes[0].coordinate, accuracy: 3, arrival: fixes[0].time, departure: fixes[9].time))
    ])
    let copy = self.folder.file("copy.db")
    try file.copy(to: copy)
    let imported = try ImportedHistory(HistoryFile.open(copy, creates: false))
    #expect(imported.fixes == fixes)
    #expect(try file.merge(imported) == (0, 0))
    let other = try HistoryFile.open(self.folder.file("other.db"), creates: true)
    #expect(try other.merge(imported) == (500, 1))
    #expect(try other.fixes(in: .all) == fixes)
  }

  @Test func `two connections record and read at the same time`() throws {
    let fixes = Sample.fixes(400, seed: 15)
    let (one, two) = (try self.opened(), try HistoryFile.open(self.path, creates: false))
    for (place, fix) in fixes.enumerated() {
      try one.record([.fix(fix)], outlivesPower: place.isMultiple(of: 50))
      #expect(try two.around(fix.time).before == fix)
    }
    #expect(try two.count() == 400)
  }
}

extension HistoryFile {
  /// Bytes of the file that hold these fixes: the middle of each row with any of them.
  func forgettable(_ fixes: [HistoryFix]) throws -> [[UInt8]] {
    let times = Set(fixes.map(\.time))
    var pieces: [[UInt8]] = []
    try self.database.rows("SELECT fixes FROM block UNION ALL SELECT fix FROM tail") { row in
      let bytes = row.blob(0) ?? []
      let all = (try? FixBlock.unpacked(bytes)) ?? []
      guard all.allSatisfy({ times.contains($0.time) }), bytes.count >= 12 else { return }
      pieces.append(Array(bytes.prefix(32)))
    }
    return pieces
  }
}

extension [UInt8] {
  /// Whether the bytes are somewhere in these.
  func has(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first else { return true }
    var place = self.startIndex
    while let found = self[place...].firstIndex(of: first) {
      if self[found...].starts(with: bytes) { return true }
      place = found + 1
    }
    return false
  }
}
