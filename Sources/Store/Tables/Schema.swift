/// The schema of the database, and the steps that migrate an older one.
struct Schema {
  private let versions: SchemaSteps

  var steps: [String] { self.versions.steps }

  init(steps: [String]) {
    // "posD".
    self.versions = SchemaSteps(steps, application: 0x706F_7344, program: "positiond")
  }

  /// Each step is made of those of the values, in their order.
  static let current = Schema(
    steps: (1...(Registry.all.flatMap { $0.steps.keys }.max() ?? 1)).map { version in
      Registry.all.compactMap { $0.steps[version] }.joined(separator: "\n")
    })

  /// Configures the connection. Commits survive a loss of power: in WAL mode `FULL` writes the log to the disk before a
  /// commit is done. No other process may open the database meanwhile, such as a second daemon.
  func configure(_ database: Database) throws(StoreError) {
    try database.run("PRAGMA locking_mode = EXCLUSIVE")
    try self.versions.recognise(database)
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
    try self.versions.migrate(database)
    // Takes the lock even if nothing had to be written.
    try database.transaction {}
  }

  static func version(of database: Database) throws(StoreError) -> Int { try SchemaSteps.version(of: database) }
}
