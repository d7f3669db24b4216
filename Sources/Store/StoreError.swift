import CSQLite
package import EventLoop

/// Why something could not be kept, or read, in words.
package struct StoreError: Error, Hashable, CustomStringConvertible {
  /// What follows from it.
  package enum Kind: Hashable, Sendable {
    /// The disk is full, the file locked or out of reach: the world's trouble, which may pass.
    case trouble
    /// What the file holds cannot be used by this version; it never will be.
    case unusable
  }

  package let kind: Kind
  /// What was tried.
  package let attempt: String
  /// Why it failed, in SQLite's or the system's words unless we know better ones.
  package let message: String

  package init(_ kind: Kind, _ attempt: String, _ message: String) {
    self.kind = kind
    self.attempt = attempt
    self.message = message
  }

  /// - Parameter code: SQLite's result, extended or not.
  init(code: Int32, _ attempt: String, _ message: String) {
    switch code & 0xFF {
    case SQLITE_CORRUPT, SQLITE_NOTADB: self.init(.unusable, attempt, message)
    // A table or a column is missing or has impossible content: another program has changed the database.
    case SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH: self.init(.unusable, attempt, message)
    case SQLITE_BUSY: self.init(.trouble, attempt, "another process has it open")
    case _: self.init(.trouble, attempt, message)
    }
  }

  package init(_ error: SystemError) {
    self.init(.trouble, error.call, error.message)
  }

  package var description: String { "\(self.attempt): \(self.message)" }
}
