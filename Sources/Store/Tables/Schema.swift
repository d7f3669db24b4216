/// The form of the database, and the steps that bring an older one to it.
struct Schema {
  /// The first makes an empty database one of version 1, and so on. A step that was released is not changed any more.
  let steps: [String]

  static let current = Schema(steps: [version1, version2, version3, version4])

  /// "posD": distinguishes our databases from those of other programs.
  private static let application: Int64 = 0x706F_7344

  /// How the connection behaves. What was committed lasts through a loss of power: in WAL mode `FULL` writes the log to
  /// the disk before a commit is done. Nobody else opens the database meanwhile, least of all a second daemon.
  func configure(_ database: Database) throws(StoreError) {
    try database.run("PRAGMA locking_mode = EXCLUSIVE")
    try self.recognise(database)
    guard try database.texts("PRAGMA journal_mode = WAL") == ["wal"] else {
      throw StoreError(.trouble, database.path, "its file system does not support SQLite's write-ahead log")
    }
    try database.run("PRAGMA synchronous = FULL")
    try database.run("PRAGMA foreign_keys = ON")
    try database.run("PRAGMA trusted_schema = OFF")
    // Where the device was is not to be read in what was removed.
    try database.run("PRAGMA secure_delete = ON")
    // What the log has grown to after a burst is given back.
    try database.run("PRAGMA journal_size_limit = 4194304")
    let findings = try database.texts("PRAGMA quick_check(1)")
    guard findings == ["ok"] else {
      throw StoreError(.unusable, database.path, "it is damaged (\(findings.joined(separator: "; ")))")
    }
  }

  /// Carries out the steps that it lacks, each wholly or not at all.
  func migrate(_ database: Database) throws(StoreError) {
    let version = try Self.version(of: database)
    for (number, step) in self.steps.enumerated() where number >= version {
      try database.transaction { () throws(StoreError) in
        try database.script(step)
        try database.script("PRAGMA application_id = \(Self.application); PRAGMA user_version = \(number + 1)")
      }
    }
    // Takes the lock, where there was nothing to write yet.
    try database.transaction {}
  }

  static func version(of database: Database) throws(StoreError) -> Int {
    Int(try database.integer("PRAGMA user_version") ?? 0)
  }

  /// Refuses what is not ours, before a byte of it is changed, and what a later version has made.
  private func recognise(_ database: Database) throws(StoreError) {
    let application = try database.integer("PRAGMA application_id")
    let isEmpty = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
    guard isEmpty || application == Self.application else {
      throw StoreError(.trouble, database.path, "it is a database of another program")
    }
    let version = try Self.version(of: database)
    guard version <= self.steps.count else {
      throw StoreError(
        .unusable, database.path,
        "it is of version \(version), made by a later positiond; this one knows version \(self.steps.count)")
    }
  }
}
