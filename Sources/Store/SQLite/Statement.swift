import CSQLite

/// One prepared statement, used for one execution at a time.
@safe final class Statement {
  private let statement: OpaquePointer
  private let connection: OpaquePointer
  private let path: String

  /// - Parameter connection: Outlives the statement.
  init(_ sql: String, on connection: OpaquePointer, of path: String) throws(StoreError) {
    var prepared: OpaquePointer?
    let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
    let code = unsafe sqlite3_prepare_v3(connection, sql, -1, flags, &prepared, nil)
    guard code == SQLITE_OK, let prepared = unsafe prepared else {
      throw unsafe StoreError(code: code, path, Self.message(of: connection))
    }
    unsafe self.statement = unsafe prepared
    unsafe self.connection = unsafe connection
    self.path = path
  }

  deinit {
    unsafe sqlite3_finalize(self.statement)
  }

  /// Executes it, and calls the closure with each row.
  ///
  /// - Parameter values: One for each `?`, in order.
  func forEachRow(_ values: [SQLValue], _ body: (SQLRow) -> Void) throws(StoreError) {
    let count = unsafe sqlite3_bind_parameter_count(self.statement)
    precondition(Int(count) == values.count, "the statement takes \(count) values and is given \(values.count)")
    defer {
      unsafe sqlite3_reset(self.statement)
      unsafe sqlite3_clear_bindings(self.statement)
    }
    for (index, value) in values.enumerated() { try self.check(self.bind(value, at: Int32(index) + 1)) }
    while true {
      let code = unsafe sqlite3_step(self.statement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { return try self.check(code) }
      unsafe body(SQLRow(self.statement))
    }
  }

  private func bind(_ value: SQLValue, at index: Int32) -> Int32 {
    switch value {
    case .null: return unsafe sqlite3_bind_null(self.statement, index)
    case .integer(let number): return unsafe sqlite3_bind_int64(self.statement, index, number)
    case .text(var text):
      return text.withUTF8 { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
          unsafe csqlite_bind_text(self.statement, index, characters.baseAddress, Int32(clamping: characters.count))
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
  static func message(of connection: OpaquePointer) -> String {
    unsafe String(cString: sqlite3_errmsg(connection))
  }
}
