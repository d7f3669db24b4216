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
  private var stamp: ClockStamp?

  init(_ database: Database, clock: BootClock) {
    self.database = database
    self.clock = clock
  }

  func make(_ changes: [StoreChange]) throws(StoreError) {
    // Both are restored, or built again, if the transaction fails, even at its very end.
    (self.index, self.stamp) = try self.database.transaction { () throws(StoreError) in
      let index = try self.takeIndex()
      let stamp = try self.currentStamp()
      var writer = StoreWriter(database: self.database, clock: stamp.key, index: index)
      for change in changes { try writer.make(change) }
      return (writer.index, stamp)
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
  func currentStamp() throws(StoreError) -> ClockStamp {
    if let stamp, stamp.isValid(for: self.clock) { return stamp }
    return try ClockStamp(of: self.clock, in: self.database)
  }
}

/// Makes the changes of one transaction; the file of each value has the methods for its own.
struct StoreWriter {
  let database: Database
  /// The key of the clock for moments of now.
  let clock: Int64
  var index: StoreIndex
}

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
  /// The tables of what belongs to a name.
  let tablesOfNames: [String]

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
    self.tablesOfNames = try database.tables(referringTo: StoredName.table)
  }

  func name(_ id: DurableID) throws(StoreError) -> Name {
    guard let name = self.names[id] else { throw self.lacks("durable name", of: id) }
    return name
  }

  /// The key of the name's row, for a statement.
  func key(_ id: DurableID) throws(StoreError) -> Int64 { try self.name(id).key }

  /// The error for a change of something that does not exist.
  func lacks(_ what: String, of id: DurableID) -> StoreError {
    StoreError(.transient, "change \(id.name) of user \(id.uid)", "the database has no such \(what)")
  }
}
