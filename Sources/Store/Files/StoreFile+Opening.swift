import Broker
import EventLoop
import Positioning

extension StoreFile {
  /// How long to wait for the previous daemon to close the database, in milliseconds.
  private static let patience: Int32 = 2000

  /// The database, undamaged and with this version's schema; a new one if there was none, or none that is usable.
  ///
  /// - Parameter time: For the name of what is set aside.
  /// - Returns: The database, and why the old one was set aside, if it was.
  func openDatabase(_ schema: Schema, time: Timestamp) throws(StoreError) -> (database: Database, lost: StoreError?) {
    try self.prepared()
    do throws(StoreError) {
      return (try self.openSound(schema), nil)
    } catch {
      guard error.kind == .unusable else { throw error }
      return (try self.openNew(schema, instead: error, time: time), error)
    }
  }

  /// Sets the existing database aside because of the error, and creates a new one. The old one is not open any more.
  func openNew(_ schema: Schema, instead error: StoreError, time: Timestamp) throws(StoreError) -> Database {
    do throws(SystemError) {
      // Such as 20260131T120000Z.
      let second = "\(time)".prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
      let aside = try self.setAside(at: second)
      self.log(.databaseSetAside, "\(error); moved it to \(aside, .file); all durable registrations are lost")
    } catch {
      throw StoreError(error)
    }
    try self.prepared()
    return try self.openSound(schema)
  }

  private func prepared() throws(StoreError) {
    do throws(SystemError) { try self.prepare() } catch { throw StoreError(error) }
  }

  private func openSound(_ schema: Schema) throws(StoreError) -> Database {
    let database = try Database(
      path: self.path, in: self.disk.databases, patience: self.isPatient ? Self.patience : 0)
    try schema.configure(database)
    try schema.migrate(database)
    return database
  }
}
