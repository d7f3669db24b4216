import Broker
import Positioning

/// The rows of the database: changes go in, and the state comes out. It belongs to one thread at a time.
final class StoreTables: ChangeTables {
  let database: Database
  let clock: BootClock
  /// Has what was decided of permission too.
  var permissionFile: PermissionFile?
  /// Whether the file lacks decisions that are in the tables.
  private var isFileBehind = false
  /// Built from the tables when it is first needed.
  private var index: StoreIndex?
  private var stamp: Stamp?

  /// The row of this boot's clock, and the wall clock's time at the boot when the row was made.
  struct Stamp {
    let key: Int64
    let epoch: Duration
  }

  /// After a larger step of the wall clock, a new row is made.
  private static let tolerance: Duration = .milliseconds(10)

  init(_ database: Database, clock: BootClock) {
    self.database = database
    self.clock = clock
  }

  func make(_ changes: [StoreChange]) throws(StoreError) {
    // Both are restored, or built again, if the transaction fails, even at its very end.
    (self.index, self.stamp) = try self.database.transaction { () throws(StoreError) in
      var index = try self.takeIndex()
      let stamp = try self.currentStamp()
      for change in changes { try self.apply(change, clock: stamp.key, &index) }
      return (index, stamp)
    }
    if self.permissionFile != nil, changes.contains(where: \.isOfPermission) { self.isFileBehind = true }
  }

  func copyPermission() throws(StoreError) {
    guard self.isFileBehind, let permissionFile else { return }
    try permissionFile.write(self.permissionRecord())
    self.isFileBehind = false
  }

  func keepAside(_ changes: [StoreChange]) throws(StoreError) {
    try self.permissionFile?.add(changes, clock: self.clock)
  }

  /// Moves the contents of the log into the database.
  func tidy() throws(StoreError) { try self.database.run("PRAGMA wal_checkpoint(TRUNCATE)") }

  /// To be put back: an index with two owners would be copied when one changes it.
  private func takeIndex() throws(StoreError) -> StoreIndex {
    guard let index = self.index else { return try StoreIndex(reading: self.database) }
    self.index = nil
    return index
  }

  /// The row of the clock for moments of now.
  func currentStamp() throws(StoreError) -> Stamp {
    let epoch = self.clock.epoch()
    if let stamp, abs(stamp.epoch - epoch) < Self.tolerance { return stamp }
    let values: (SQLValue, SQLValue) = (.text(self.clock.boot ?? ""), .integer(epoch.wholeNanoseconds))
    try self.database.run(
      "INSERT INTO clocks (boot, epoch) VALUES (?, ?) ON CONFLICT DO NOTHING", values.0, values.1)
    let key = try self.database.integer("SELECT key FROM clocks WHERE boot = ? AND epoch = ?", values.0, values.1)
    guard let key else { preconditionFailure("a clock that was just kept is not there") }
    return Stamp(key: key, epoch: epoch)
  }
}

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }

/// The rows of names and regions.
///
/// Swift considers two spellings of the same text equal, such as an accented letter and its combining form, and SQLite
/// does not; so names are looked up here.
struct StoreIndex {
  struct Name {
    let key: Int64
    var regions: [String: Int64] = [:]
  }

  var names: [DurableID: Name] = [:]

  func name(_ id: DurableID) throws(StoreError) -> Name {
    guard let name = self.names[id] else { throw self.lacks("durable name", of: id) }
    return name
  }

  /// The error for a change of something that does not exist.
  func lacks(_ what: String, of id: DurableID) -> StoreError {
    StoreError(.transient, "change \(id.name) of user \(id.uid)", "the database has no such \(what)")
  }

  init(reading database: Database) throws(StoreError) {
    var regions: [Int64: [String: Int64]] = [:]
    try database.rows("SELECT name, id, key FROM regions") { row in
      guard let name = row.integer(0), let id = row.text(1), let key = row.integer(2) else { return }
      regions[name, default: [:]][id] = key
    }
    var names: [DurableID: Name] = [:]
    try database.rows("SELECT key, uid, name FROM names") { row in
      guard let key = row.integer(0), let uid = row.integer(1), let name = row.text(2) else { return }
      names[DurableID(uid: UInt32(clamping: uid), name: name)] = Name(key: key, regions: regions[key] ?? [:])
    }
    self.names = names
  }
}
