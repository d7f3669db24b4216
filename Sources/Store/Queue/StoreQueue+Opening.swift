package import Broker
package import EventLoop
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
  ///   - disk: Where it is.
  ///   - now: The moment on this boot's clock.
  ///   - isPatient: Whether to wait for a moment until another process has closed the database.
  ///   - log: Gets messages now and later, without positions.
  /// - Throws: If there can be no database now, such as on a read-only disk.
  package static func open(
    loop: EventLoop, path: String, on disk: any Disk = SystemDisk(), now: Instant, isPatient: Bool = true,
    log: @escaping (LogKind, LogMessage) -> Void
  ) throws(StoreError) -> Opened {
    var file = StoreFile(path: path, on: disk, log: log)
    file.isPatient = isPatient
    let (tables, state) = try Self.read(file, .current, clock: BootClock(of: loop), now: now)
    do throws(SystemError) {
      return Opened(queue: try StoreQueue(loop: loop, tables: tables, log: log), state: state)
    } catch {
      throw StoreError(error)
    }
  }

  /// The permission decisions if the database cannot be opened: those of the file beside it. If the file cannot be
  /// read, the master switch is off, unless nothing was ever stored.
  package static func permissions(
    beside path: String, on disk: any Disk = SystemDisk(), because error: StoreError, clock: BootClock, now: Instant
  ) -> StoredState {
    var state = StoredState()
    let content = PermissionFile(beside: path, on: disk).read()
    let wasNeverThere = disk.isAbsent(path)
    state.take(content, lost: wasNeverThere ? nil : "\(error)", clock: clock, now: now)
    return state
  }

  /// Writes the permission decisions among changes to the file beside a database that cannot be opened.
  package static func keep(
    _ changes: [StoreChange], beside path: String, on disk: any Disk = SystemDisk(), clock: BootClock
  ) throws(StoreError) {
    try PermissionFile(beside: path, on: disk).add(changes, clock: clock)
  }

  static func read(
    _ file: StoreFile, _ schema: Schema, clock: BootClock, now: Instant
  ) throws(StoreError) -> (StoreTables, StoredState) {
    let (tables, state, isEmpty, lost) = try Self.readTables(file, schema, clock: clock, now: now)
    let permissions = PermissionFile(beside: file.path, on: file.disk)
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
      let database = try file.openNew(schema, instead: error, time: clock.time(at: now))
      return (StoreTables(database, clock: clock), StoredState(), true, error)
    }
  }

  private static func readSound(
    _ file: StoreFile, _ schema: Schema, clock: BootClock, now: Instant
  ) throws(StoreError) -> (StoreTables, StoredState, isEmpty: Bool, lost: StoreError?) {
    let (database, lost) = try file.openDatabase(schema, time: clock.time(at: now))
    let tables = StoreTables(database, clock: clock)
    let isEmpty = try !tables.knowsPermission()
    return (tables, try tables.load(now: now, log: file.log), isEmpty, lost)
  }
}
