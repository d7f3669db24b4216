/// The schema of the database, and the steps that migrate an older one.
struct Schema {
  /// The first step makes an empty database one of version 1, and so on. A released step is never changed.
  let steps: [String]

  /// Each step is made of those of the values, in their order.
  static let current = Schema(
    steps: (1...(Registry.all.flatMap { $0.steps.keys }.max() ?? 1)).map { version in
      Registry.all.compactMap { $0.steps[version] }.joined(separator: "\n")
    })

  /// "posD": distinguishes positiond's databases from those of other programs.
  private static let application: Int64 = 0x706F_7344

  /// Configures the connection. Commits survive a loss of power: in WAL mode `FULL` writes the log to the disk before a
  /// commit is done. No other process may open the database meanwhile, such as a second daemon.
  func configure(_ database: Database) throws(StoreError) {
    try database.run("PRAGMA locking_mode = EXCLUSIVE")
    try self.recognise(database)
    guard try database.texts("PRAGMA journal_mode = WAL") == ["wal"] else {
      throw StoreError(.transient, database.path, "its file system does not support SQLite's write-ahead log")
    }
    try database.run("PRAGMA synchronous = FULL")
    try database.run("PRAGMA foreign_keys = ON")
    try database.run("PRAGMA trusted_schema = OFF")
    // Deleted positions must not remain readable in the file.
    try database.run("PRAGMA secure_delete = ON")
    // Truncates the log after a burst.
    try database.run("PRAGMA journal_size_limit = 4194304")
    let findings = try database.texts("PRAGMA quick_check(1)")
    guard findings == ["ok"] else {
      throw StoreError(.unusable, database.path, "it is damaged (\(findings.joined(separator: "; ")))")
    }
  }

  /// Executes the missing steps, each wholly or not at all.
  func migrate(_ database: Database) throws(StoreError) {
    let version = try Self.version(of: database)
    for (number, step) in self.steps.enumerated() where number >= version {
      try database.transaction { () throws(StoreError) in
        try database.script(step)
        try database.script("PRAGMA application_id = \(Self.application); PRAGMA user_version = \(number + 1)")
      }
    }
    // Takes the lock even if nothing had to be written.
    try database.transaction {}
  }

  static func version(of database: Database) throws(StoreError) -> Int {
    Int(try database.integer("PRAGMA user_version") ?? 0)
  }

  /// Rejects other programs' databases and those of later versions before anything is changed: they stay as they are.
  private func recognise(_ database: Database) throws(StoreError) {
    let application = try database.integer("PRAGMA application_id")
    let isEmpty = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
    guard isEmpty || application == Self.application else {
      throw StoreError(.transient, database.path, "it is a database of another program")
    }
    let version = try Self.version(of: database)
    guard version <= self.steps.count else {
      throw StoreError(
        .transient, database.path,
        "it is of version \(version), made by a later positiond; this one knows version \(self.steps.count):"
          + " install the later one again, or move the file away")
    }
  }
}
