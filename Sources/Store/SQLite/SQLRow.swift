import CSQLite

/// A value that is bound to a statement.
enum SQLValue: Hashable {
  case null
  case integer(Int64)
  case text(String)

  init(_ text: String?) { self = text.map { .text($0) } ?? .null }
}

/// One row of a result; valid only until the next one is read.
@safe struct SQLRow {
  private let statement: OpaquePointer

  init(_ statement: OpaquePointer) { unsafe self.statement = unsafe statement }

  /// `nil` for NULL, or if it is no number.
  func integer(_ column: Int32) -> Int64? {
    guard unsafe sqlite3_column_type(self.statement, column) == SQLITE_INTEGER else { return nil }
    return unsafe sqlite3_column_int64(self.statement, column)
  }

  /// `nil` for NULL, or if it is no text. Invalid UTF-8 is replaced.
  func text(_ column: Int32) -> String? {
    guard unsafe sqlite3_column_type(self.statement, column) == SQLITE_TEXT,
      let bytes = unsafe sqlite3_column_text(self.statement, column)
    else { return nil }
    let count = Int(unsafe sqlite3_column_bytes(self.statement, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
