import CSQLite

/// One connection to a database in one file. It belongs to one thread at a time.
///
/// Each statement is prepared once, and kept while the connection is open.
@safe final class Database {
  let path: String
  private let connection: OpaquePointer
  private var statements: [String: Statement] = [:]

  /// Opens an existing file; an empty one is an empty database.
  ///
  /// - Parameters:
  ///   - fileSystem: SQLite's name for where it is; `nil`: the default.
  ///   - patience: How long to wait for a lock of another process, in milliseconds.
  init(path: String, in fileSystem: String? = nil, patience: Int32) throws(StoreError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &opened, flags, fileSystem)
    guard code == SQLITE_OK, let opened = unsafe opened else {
      let message = unsafe opened.map { unsafe Statement.message(of: $0) } ?? "out of memory"
      unsafe sqlite3_close_v2(opened)
      throw StoreError(code: code, "open \(path)", message)
    }
    self.path = path
    unsafe self.connection = unsafe opened
    unsafe sqlite3_busy_timeout(opened, patience)
  }

  deinit {
    self.statements = [:]
    unsafe sqlite3_close_v2(self.connection)
  }

  /// Executes a statement without rows, or ignores its rows.
  func run(_ sql: String, _ values: SQLValue...) throws(StoreError) {
    try self.statement(sql).forEachRow(values) { _ in }
  }

  /// Calls the closure with each row of a query.
  func rows(_ sql: String, _ values: SQLValue..., body: (SQLRow) -> Void) throws(StoreError) {
    try self.statement(sql).forEachRow(values, body)
  }

  /// The first column of the first row, if it is a number.
  func integer(_ sql: String, _ values: SQLValue...) throws(StoreError) -> Int64? {
    var result: Int64?
    try self.statement(sql).forEachRow(values) { row in result = result ?? row.integer(0) }
    return result
  }

  /// The first column of each row with a text there.
  func texts(_ sql: String, _ values: SQLValue...) throws(StoreError) -> [String] {
    var result: [String] = []
    try self.statement(sql).forEachRow(values) { row in row.text(0).map { result.append($0) } }
    return result
  }

  /// Executes several statements that are used once.
  func script(_ sql: String) throws(StoreError) {
    let code = unsafe sqlite3_exec(self.connection, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw self.error(code) }
  }

  /// Executes the closure in a transaction, which is rolled back if it throws.
  func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try self.run("BEGIN IMMEDIATE")
    do throws(StoreError) {
      let result = try body()
      try self.run("COMMIT")
      return result
    } catch {
      // After some errors SQLite has rolled back already.
      if unsafe sqlite3_get_autocommit(self.connection) == 0 {
        unsafe sqlite3_exec(self.connection, "ROLLBACK", nil, nil, nil)
      }
      throw error
    }
  }

  /// The key of the last inserted row.
  var lastInsertedKey: Int64 { unsafe sqlite3_last_insert_rowid(self.connection) }

  private func statement(_ sql: String) throws(StoreError) -> Statement {
    if let statement = self.statements[sql] { return statement }
    let statement = try unsafe Statement(sql, on: self.connection, of: self.path)
    self.statements[sql] = statement
    return statement
  }

  private func error(_ code: Int32) -> StoreError {
    unsafe StoreError(code: code, self.path, Statement.message(of: self.connection))
  }
}
