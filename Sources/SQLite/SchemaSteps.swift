/// How the tables of a program's database came about: the steps that make and migrate it.
package struct SchemaSteps: Sendable {
  /// The first one makes an empty database one of version 1, and so on. A released step is never changed.
  package let steps: [String]
  /// Distinguishes the program's databases from those of others.
  private let application: Int64
  private let program: String

  package init(_ steps: [String], application: Int64, program: String) {
    self.steps = steps
    self.application = application
    self.program = program
  }

  package static func version(of database: Database) throws(StoreError) -> Int {
    Int(try database.integer("PRAGMA user_version") ?? 0)
  }

  /// Rejects other programs' databases and those of later versions before anything is changed: they stay as they are.
  package func recognise(_ database: Database) throws(StoreError) {
    let application = try database.integer("PRAGMA application_id")
    let isEmpty = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
    guard isEmpty || application == self.application else {
      throw StoreError(.transient, database.path, "it is a database of another program")
    }
    let version = try Self.version(of: database)
    guard version <= self.steps.count else {
      throw StoreError(
        .transient, database.path,
        "it is of version \(version), made by a later \(self.program); this one knows version \(self.steps.count):"
          + " install the later one again, or move the file away")
    }
  }

  /// Executes the missing steps, each wholly or not at all.
  package func migrate(_ database: Database) throws(StoreError) {
    let version = try Self.version(of: database)
    for (number, step) in self.steps.enumerated() where number >= version {
      try database.transaction { () throws(StoreError) in
        // Another process may have done it meanwhile.
        guard try Self.version(of: database) == number else { return }
        try database.script(step)
        try database.script("PRAGMA application_id = \(self.application); PRAGMA user_version = \(number + 1)")
      }
    }
  }
}
