import CSQLite
package import EventLoop

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
  init(code: Int32, _ attempt: String, _ message: String) {
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
