package import Broker
package import EventLoop
import Glibc
package import Positioning

extension StoreQueue {
  /// The result of opening.
  package struct Opened {
    package let queue: StoreQueue
    /// The stored state.
    package let state: StoredState
  }

  /// Opens the database, which no other process may have open, and reads it; creates one if there is none that is
  /// usable.
  ///
  /// - Parameters:
  ///   - now: The moment on this boot's clock.
  ///   - isPatient: Whether to wait for a moment until another process has closed the database.
  ///   - log: Gets messages now and later, without positions.
  /// - Throws: If there can be no database now, such as on a read-only disk.
  package static func open(
    loop: EventLoop, path: String, clock: BootClock = .system, now: Instant, isPatient: Bool = true,
    log: @escaping (LogKind, LogMessage) -> Void
  ) throws(StoreError) -> Opened {
    var file = StoreFile(path: path, log: log)
    file.isPatient = isPatient
    let (tables, state) = try Self.read(file, .current, clock: clock, now: now)
    do throws(SystemError) {
      return Opened(queue: try StoreQueue(loop: loop, tables: tables, log: log), state: state)
    } catch {
      throw StoreError(error)
    }
  }

  /// The permission decisions if the database cannot be opened: those of the file beside it. If the file cannot be
  /// read, the master switch is off, unless nothing was ever stored.
  package static func permissions(
    beside path: String, because error: StoreError, clock: BootClock = .system, now: Instant
  ) -> StoredState {
    var state = StoredState()
    let content = PermissionFile(beside: path).read()
    let wasNeverThere = unsafe access(path, F_OK) != 0 && errno == ENOENT
    state.take(content, lost: wasNeverThere ? nil : "\(error)", clock: clock, now: now)
    return state
  }

  /// Writes the permission decisions among changes to the file beside a database that cannot be opened.
  package static func keep(
    _ changes: [StoreChange], beside path: String, clock: BootClock = .system
  ) throws(StoreError) {
    try PermissionFile(beside: path).add(changes, clock: clock)
  }

  static func read(
    _ file: StoreFile, _ schema: Schema, clock: BootClock, now: Instant
  ) throws(StoreError) -> (StoreTables, StoredState) {
    let (tables, state, isEmpty, lost) = try Self.readTables(file, schema, clock: clock, now: now)
    let permissions = PermissionFile(beside: file.path)
    return (tables, try tables.reconcile(state, permissions, isEmpty: isEmpty, lost: lost, now: now, log: file.log))
  }

  private static func readTables(
    _ file: StoreFile, _ schema: Schema, clock: BootClock, now: Instant
  ) throws(StoreError) -> (StoreTables, StoredState, isEmpty: Bool, lost: StoreError?) {
    do throws(StoreError) {
      return try Self.readSound(file, schema, clock: clock, now: now)
    } catch {
      // It seemed undamaged but could not be read. It is closed by now, and can be renamed.
      guard error.kind == .unusable else { throw error }
      let database = try file.openNew(schema, instead: error, time: .now)
      return (StoreTables(database, clock: clock), StoredState(), true, error)
    }
  }

  private static func readSound(
    _ file: StoreFile, _ schema: Schema, clock: BootClock, now: Instant
  ) throws(StoreError) -> (StoreTables, StoredState, isEmpty: Bool, lost: StoreError?) {
    let (database, lost) = try file.openDatabase(schema, time: .now)
    let tables = StoreTables(database, clock: clock)
    let isEmpty = try !tables.knowsPermission()
    return (tables, try tables.load(now: now, log: file.log), isEmpty, lost)
  }
}
