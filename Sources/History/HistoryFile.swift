import EventLoop
import Glibc
package import Positioning
package import SQLite

/// The history of one user: a database in one file, which the recorder and `positionctl history` use at the same time.
///
/// New fixes are rows of `tail`. Once these are many they become one row of `block`, where they take less room. Each change is
/// one transaction, in SQLite's write-ahead log: a program that is killed loses what it has not recorded, and nothing else.
package final class HistoryFile {
  package static let variable = "POSITIOND_HISTORY"

  /// How long to wait for a lock of the other program, in milliseconds.
  private static let lockTimeout: Int32 = 10_000
  /// SQLite keeps further files beside the database.
  private static let suffixes = ["", "-wal", "-shm"]
  /// The most fixes that wait to be packed, and the longest time between the first and the last of them.
  static let (tailLimit, tailSpan) = (128, Duration.seconds(3600))

  package let path: String
  let database: Database
  /// How many fixes wait to be packed, as far as this program knows.
  private var waiting = 0

  private init(path: String, _ database: Database) {
    self.path = path
    self.database = database
  }

  /// `$POSITIOND_HISTORY`, else `positiond/history.db` in the user's folder for state; `nil`: there is no home.
  package static func usualPath(_ environment: [String: String]) -> String? {
    if let path = environment[self.variable], !path.isEmpty { return path }
    // The specification ignores relative paths.
    if let folder = environment["XDG_STATE_HOME"], folder.hasPrefix("/") { return "\(folder)/positiond/history.db" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.local/state/positiond/history.db"
  }

  /// Opens the history, or begins one.
  ///
  /// - Parameter creates: Whether to begin one where there is none.
  /// - Throws: Also if other users may read it, or if it is another one's.
  package static func open(_ path: String, creates: Bool) throws(StoreError) -> HistoryFile {
    let disk = SystemDisk()
    do throws(SystemError) {
      if creates {
        try self.makeFolders(above: path, on: disk)
        try disk.create(path)
      } else if disk.isAbsent(path) {
        throw SystemError(code: ENOENT, call: "open \(path)")
      }
      for suffix in self.suffixes {
        guard case .success(let status) = disk.status(of: path + suffix) else { continue }
        try self.judge(path + suffix, status, user: disk.user)
      }
    } catch {
      throw StoreError(error)
    }
    let database = try Database(path: path, lockTimeout: self.lockTimeout)
    try HistorySchema.configure(database)
    let file = HistoryFile(path: path, database)
    file.waiting = Int(try database.integer("SELECT count(*) FROM tail") ?? 0)
    return file
  }

  private static func makeFolders(above path: String, on disk: SystemDisk) throws(SystemError) {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
    let folder = String(path[..<slash])
    guard disk.isAbsent(folder) else { return }
    try self.makeFolders(above: folder, on: disk)
    try disk.makeFolder(folder)
  }

  private static func judge(_ path: String, _ status: FileStatus, user: UInt32) throws(SystemError) {
    guard status.owner == user else {
      throw SystemError(code: EPERM, call: "use \(path)", message: "it belongs to user \(status.owner)")
    }
    guard status.mode & 0o077 == 0 else {
      throw SystemError(
        code: EPERM, call: "use \(path)",
        message:
          "other users may read it (0\(String(status.mode, radix: 8))), and it says where you were: chmod 600 \(path)")
    }
  }

  // MARK: Recording

  /// Adds the records, all or none.
  ///
  /// - Parameter outlivesPower: Whether they must be on the disk afterwards, because positiond forgets them then. Else a loss of
  ///   power can take those of the last minutes; a killed program loses none.
  package func record(_ records: [HistoryRecord], outlivesPower: Bool = false) throws(StoreError) {
    try self.database.run(outlivesPower ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
    var added = 0
    try self.database.transaction { () throws(StoreError) in
      for record in records {
        try self.add(record)
        if case .fix = record { added += 1 }
      }
      if self.waiting + added >= Self.tailLimit {
        try self.packTail()
        added = -self.waiting
      }
    }
    self.waiting += added
  }

  private func add(_ record: HistoryRecord) throws(StoreError) {
    switch record {
    case .fix(let fix):
      guard try !self.isPaused(at: fix.time) else { return }
      // A second fix of the same millisecond says nothing new.
      try self.database.run(
        "INSERT OR IGNORE INTO tail VALUES (?, ?)", fix.time.milliseconds, FixBlock.packed([fix]))
    case .stay(let stay):
      if let arrival = stay.arrival, try self.isPaused(at: arrival) { return }
      try self.add(stay)
    case .passage(let passage):
      guard try !self.isPaused(at: passage.time) else { return }
      try self.database.run(
        "INSERT INTO passage (time, region, kind, latitude, longitude) VALUES (?, ?, ?, ?, ?)",
        passage.time.milliseconds, passage.region, passage.kind.rawValue, passage.place?.latitude,
        passage.place?.longitude)
    case .power(let change):
      try self.database.run(
        "INSERT OR REPLACE INTO power VALUES (?, ?)", change.time.milliseconds, change.isOn)
    case .gapBegan(let cause, let time):
      try self.add(.gapEnded(at: time))
      try self.add(Gap(start: time, end: nil, cause: cause))
    case .gapEnded(let time):
      try self.database.run(
        "UPDATE gap SET until = max(?, start) WHERE until IS NULL", time.milliseconds)
    case .event(let number): try self.set("event", Int64(number))
    }
  }

  func add(_ stay: Stay) throws(StoreError) {
    if let number = stay.number { try self.database.run("DELETE FROM stay WHERE number = ?", number) }
    try self.database.run(
      "INSERT INTO stay (number, arrival, departure, latitude, longitude, accuracy) VALUES (?, ?, ?, ?, ?, ?)",
      stay.number, stay.arrival?.milliseconds, stay.departure?.milliseconds, stay.place.latitude,
      stay.place.longitude, stay.accuracy)
  }

  func add(_ gap: Gap) throws(StoreError) {
    try self.database.run(
      "INSERT OR REPLACE INTO gap VALUES (?, ?, ?)", gap.start.milliseconds, gap.end?.milliseconds, gap.cause.rawValue)
  }

  /// Makes blocks of the fixes that wait, one for each day of UTC.
  func packTail() throws(StoreError) {
    try self.replace(try self.waitingFixes(in: .all), detail: .all)
    try self.database.run("DELETE FROM tail")
  }

  /// Adds fixes as blocks of at most `FixBlock.limit`, none of which has fixes of two days of UTC.
  func replace(_ fixes: [HistoryFix], detail: Detail) throws(StoreError) {
    var rest = fixes[...]
    while let first = rest.first {
      let day = first.day
      let block = rest.prefix(FixBlock.limit).prefix { $0.day == day }
      rest = rest.dropFirst(block.count)
      let box = BoundingBox(block)
      try self.database.run(
        """
        INSERT INTO block (start, until, count, detail, south, north, west, east, fixes)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, first.time.milliseconds, (block.last ?? first).time.milliseconds, block.count, detail.rawValue, box.south,
        box.north, box.west, box.east, FixBlock.packed(block))
    }
  }

  // MARK: Values

  /// A number that is kept by its name.
  func set(_ name: String, _ number: Int64) throws(StoreError) {
    try self.database.run("INSERT OR REPLACE INTO value VALUES (?, ?)", name, number)
  }

  private func value(_ name: String) throws(StoreError) -> Int64? {
    try self.database.integer("SELECT number FROM value WHERE name = ?", name)
  }

  /// The newest event of the durable name that is in the history.
  package func lastEvent() throws(StoreError) -> Int? { try self.value("event").map { Int($0) } }

  /// Until when nothing is recorded; in the past if it is not paused.
  package func pauseEnd() throws(StoreError) -> Timestamp? {
    try self.value("pause").map { Timestamp(milliseconds: $0) }
  }

  /// Whether a person did not want that time to be recorded. What positiond has collected meanwhile comes after the pause.
  private func isPaused(at time: Timestamp) throws(StoreError) -> Bool {
    try self.database.integer(
      "SELECT 1 FROM gap WHERE cause = 'paused' AND start <= ? AND until >= ? LIMIT 1", time.milliseconds,
      time.milliseconds) != nil
  }

  /// Pauses the recording from now on, or lets it go on at once if the end is not later.
  package func pause(until end: Timestamp, now: Timestamp) throws(StoreError) {
    try self.database.transaction { () throws(StoreError) in
      try self.set("pause", end.milliseconds)
      try self.database.run(
        "UPDATE gap SET until = ? WHERE cause = ? AND until > ?", now.milliseconds, Gap.Cause.paused.rawValue,
        now.milliseconds)
      if end > now { try self.add(Gap(start: now, end: end, cause: .paused)) }
    }
  }
}

extension FixBlock {
  /// The most fixes of a block.
  static let limit = 256
}

/// How much is left of the fixes of a time.
enum Detail: Int, CaseIterable {
  /// All.
  case all
  /// One a minute.
  case minutes
  /// Those that the stays and ways need.
  case ways
}

/// The smallest and largest latitudes and longitudes of fixes, in 1e-8 degrees.
struct BoundingBox {
  var south = Int64.max
  var north = Int64.min
  var west = Int64.max
  var east = Int64.min

  init(_ fixes: some Sequence<HistoryFix>) {
    for fix in fixes {
      (self.south, self.north) = (min(self.south, fix.latitude), max(self.north, fix.latitude))
      (self.west, self.east) = (min(self.west, fix.longitude), max(self.east, fix.longitude))
    }
  }
}

extension HistoryFix {
  /// Days since 1970, UTC.
  var day: Int64 { self.time.day }
}

extension Timestamp {
  private static let millisecondsOfDay: Int64 = 86_400_000

  /// Days since 1970, UTC.
  var day: Int64 { self.milliseconds.flooredQuotient(by: Self.millisecondsOfDay) }

  init(day: Int64) { self.init(milliseconds: day * Self.millisecondsOfDay) }
}

extension ClosedRange<Timestamp> {
  /// Any time that a clock can show.
  package static let all = Timestamp(milliseconds: -(1 << 50))...Timestamp(milliseconds: 1 << 50)
}
