import CSQLite
package import EventLoop

/// One connection to a database in one file. It belongs to one thread at a time.
///
/// Each statement is prepared once, and kept while the connection is open.
@safe package final class Database {
  package let path: String
  private let connection: OpaquePointer
  private var statements: [String: OpaquePointer] = unsafe [:]

  /// Opens an existing file; an empty one is an empty database.
  ///
  /// - Parameters:
  ///   - fileSystem: SQLite's name for where it is; `nil`: the default.
  ///   - lockTimeout: How long to wait for a lock of another process, in milliseconds.
  package init(path: String, in fileSystem: String? = nil, lockTimeout: Int32 = 0) throws(StoreError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &opened, flags, fileSystem)
    guard code == SQLITE_OK, let opened = unsafe opened else {
      let message = unsafe opened.map { unsafe Self.message(of: $0) } ?? "out of memory"
      unsafe sqlite3_close_v2(opened)
      throw StoreError(code: code, "open \(path)", message)
    }
    self.path = path
    unsafe self.connection = unsafe opened
    unsafe sqlite3_busy_timeout(opened, lockTimeout)
  }

  deinit {
    unsafe self.statements.values.forEach { _ = unsafe sqlite3_finalize($0) }
    unsafe sqlite3_close_v2(self.connection)
  }

  /// Executes a statement without rows, or ignores its rows.
  package func run(_ sql: String, _ values: any SQLBindable...) throws(StoreError) {
    try self.forEachRow(sql, values) { _ in }
  }

  /// Calls the closure with each row of a query.
  package func rows(_ sql: String, _ values: any SQLBindable..., body: (SQLRow) -> Void) throws(StoreError) {
    try self.forEachRow(sql, values, body)
  }

  /// The first column of the first row, if it is a number.
  package func integer(_ sql: String, _ values: any SQLBindable...) throws(StoreError) -> Int64? {
    var result: Int64?
    try self.forEachRow(sql, values) { row in result = result ?? row.integer(0) }
    return result
  }

  /// The first column of each row with a text there.
  package func texts(_ sql: String, _ values: any SQLBindable...) throws(StoreError) -> [String] {
    var result: [String] = []
    try self.forEachRow(sql, values) { row in row.text(0).map { result.append($0) } }
    return result
  }

  /// The tables with a column that refers to this one.
  package func tables(referringTo table: String) throws(StoreError) -> [String] {
    try self.texts(
      """
      SELECT s.name FROM sqlite_schema AS s JOIN pragma_foreign_key_list(s.name) AS f
      WHERE s.type = 'table' AND f."table" = ? ORDER BY s.name
      """, table)
  }

  /// Executes several statements that are used once.
  package func script(_ sql: String) throws(StoreError) {
    try self.check(unsafe sqlite3_exec(self.connection, sql, nil, nil, nil))
  }

  /// Executes the closure in a transaction, which is rolled back if it throws.
  package func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
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
  package var lastInsertedKey: Int64 { unsafe sqlite3_last_insert_rowid(self.connection) }

  /// - Parameter values: One for each `?`, in order.
  private func forEachRow(
    _ sql: String, _ values: [any SQLBindable], _ body: (SQLRow) -> Void
  ) throws(StoreError) {
    let statement = try unsafe self.statement(sql)
    let count = unsafe sqlite3_bind_parameter_count(statement)
    precondition(Int(count) == values.count, "the statement takes \(count) values and is given \(values.count)")
    defer {
      unsafe sqlite3_reset(statement)
      unsafe sqlite3_clear_bindings(statement)
    }
    for (index, value) in values.enumerated() {
      try self.check(unsafe Self.bind(value.sql, at: Int32(index) + 1, of: statement))
    }
    while true {
      let code = unsafe sqlite3_step(statement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { return try self.check(code) }
      unsafe body(SQLRow(statement))
    }
  }

  private func statement(_ sql: String) throws(StoreError) -> OpaquePointer {
    if let statement = unsafe self.statements[sql] { return unsafe statement }
    var prepared: OpaquePointer?
    try self.check(
      unsafe sqlite3_prepare_v3(self.connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
    guard let prepared = unsafe prepared else { preconditionFailure("a statement without text") }
    unsafe self.statements[sql] = unsafe prepared
    return unsafe prepared
  }

  private static func bind(_ value: SQLValue, at index: Int32, of statement: OpaquePointer) -> Int32 {
    switch value {
    case .null: return unsafe sqlite3_bind_null(statement, index)
    case .integer(let number): return unsafe sqlite3_bind_int64(statement, index, number)
    case .number(let number): return unsafe sqlite3_bind_double(statement, index, number)
    case .blob(let bytes):
      return unsafe bytes.withUnsafeBytes {
        unsafe csqlite_bind_blob(statement, index, $0.baseAddress, Int32(clamping: $0.count))
      }
    case .text(var text):
      return text.withUTF8 { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
          unsafe csqlite_bind_text(statement, index, characters.baseAddress, Int32(clamping: characters.count))
        }
      }
    }
  }

  private func check(_ code: Int32) throws(StoreError) {
    guard code == SQLITE_OK else {
      throw unsafe StoreError(code: code, self.path, Self.message(of: self.connection))
    }
  }

  /// SQLite's message for the connection's last error.
  private static func message(of connection: OpaquePointer) -> String {
    unsafe String(cString: sqlite3_errmsg(connection))
  }
}

/// A value that is bound to a statement.
package enum SQLValue: Hashable {
  case null
  case integer(Int64)
  case number(Double)
  case text(String)
  case blob([UInt8])
}

/// What can be bound to a statement.
package protocol SQLBindable {
  var sql: SQLValue { get }
}

extension SQLBindable where Self: BinaryInteger {
  /// The nearest number that SQLite can store.
  package var sql: SQLValue { .integer(Int64(clamping: self)) }
}

extension Int: SQLBindable {}
extension Int64: SQLBindable {}
extension UInt32: SQLBindable {}
extension UInt64: SQLBindable {}

extension Double: SQLBindable {
  package var sql: SQLValue { .number(self) }
}

extension Bool: SQLBindable {
  package var sql: SQLValue { .integer(self ? 1 : 0) }
}

extension String: SQLBindable {
  package var sql: SQLValue { .text(self) }
}

extension [UInt8]: SQLBindable {
  package var sql: SQLValue { .blob(self) }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
  package var sql: SQLValue { self?.sql ?? .null }
}

/// One row of a result; valid only until the next one is read.
@safe package struct SQLRow {
  private let statement: OpaquePointer

  fileprivate init(_ statement: OpaquePointer) { unsafe self.statement = unsafe statement }

  /// `nil` for NULL, or if it is no number.
  package func integer(_ column: Int32) -> Int64? {
    guard unsafe sqlite3_column_type(self.statement, column) == SQLITE_INTEGER else { return nil }
    return unsafe sqlite3_column_int64(self.statement, column)
  }

  /// `nil` for NULL, or if it is no number with a point.
  package func number(_ column: Int32) -> Double? {
    guard unsafe sqlite3_column_type(self.statement, column) == SQLITE_FLOAT else { return nil }
    return unsafe sqlite3_column_double(self.statement, column)
  }

  /// `nil` for NULL, or if it is no blob.
  package func blob(_ column: Int32) -> [UInt8]? {
    guard unsafe sqlite3_column_type(self.statement, column) == SQLITE_BLOB else { return nil }
    let count = Int(unsafe sqlite3_column_bytes(self.statement, column))
    guard let bytes = unsafe sqlite3_column_blob(self.statement, column) else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// `nil` for NULL, or if it is no text. Invalid UTF-8 is replaced.
  package func text(_ column: Int32) -> String? {
    guard unsafe sqlite3_column_type(self.statement, column) == SQLITE_TEXT,
      let bytes = unsafe sqlite3_column_text(self.statement, column)
    else { return nil }
    let count = Int(unsafe sqlite3_column_bytes(self.statement, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}

/// Why something could not be stored or read.
package struct StoreError: Error, Hashable, CustomStringConvertible {
  /// The consequence.
  package enum Kind: Hashable, Sendable {
    /// The disk is full, or the file locked or inaccessible: an error that may pass.
    case transient
    /// This version can never use the contents of the file.
    case unusable
  }

  package let kind: Kind
  /// The attempted operation.
  package let attempt: String
  /// The reason, usually SQLite's or the system's message.
  package let message: String

  package init(_ kind: Kind, _ attempt: String, _ message: String) {
    self.kind = kind
    self.attempt = attempt
    self.message = message
  }

  /// - Parameter code: SQLite's result, extended or not.
  fileprivate init(code: Int32, _ attempt: String, _ message: String) {
    switch code & 0xFF {
    case SQLITE_CORRUPT, SQLITE_NOTADB: self.init(.unusable, attempt, message)
    // A table or a column is missing or has impossible content: another program has changed the database.
    case SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH: self.init(.unusable, attempt, message)
    case SQLITE_BUSY: self.init(.transient, attempt, "another process has it open")
    case _: self.init(.transient, attempt, message)
    }
  }

  package init(_ error: SystemError) {
    self.init(.transient, error.call, error.message)
  }

  package var description: String { "\(self.attempt): \(self.message)" }
}
