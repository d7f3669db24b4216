import SQLite

/// The tables of the history's file, and the steps that migrate an older one.
enum HistorySchema {
  /// The first step makes an empty database one of version 1, and so on. A released step is never changed.
  static let steps = [
    """
    CREATE TABLE tail (time INTEGER PRIMARY KEY, fix BLOB NOT NULL) STRICT;
    CREATE TABLE block (
      id INTEGER PRIMARY KEY, start INTEGER NOT NULL, until INTEGER NOT NULL, count INTEGER NOT NULL,
      detail INTEGER NOT NULL, south INTEGER NOT NULL, north INTEGER NOT NULL, west INTEGER NOT NULL,
      east INTEGER NOT NULL, fixes BLOB NOT NULL) STRICT;
    CREATE INDEX block_start ON block (start, until);
    CREATE INDEX block_detail ON block (detail, start);
    CREATE TABLE stay (
      id INTEGER PRIMARY KEY, number INTEGER UNIQUE, arrival INTEGER, departure INTEGER, latitude REAL NOT NULL,
      longitude REAL NOT NULL, accuracy REAL) STRICT;
    CREATE TABLE passage (
      id INTEGER PRIMARY KEY, time INTEGER NOT NULL, region TEXT NOT NULL, kind TEXT NOT NULL, latitude REAL,
      longitude REAL) STRICT;
    CREATE INDEX passage_time ON passage (time);
    CREATE TABLE gap (start INTEGER PRIMARY KEY, until INTEGER, cause TEXT NOT NULL) STRICT;
    CREATE INDEX gap_paused ON gap (start, until) WHERE cause = 'paused';
    CREATE TABLE power (time INTEGER PRIMARY KEY, is_on INTEGER NOT NULL) STRICT;
    CREATE TABLE value (name TEXT PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    """
  ]

  /// "posH": distinguishes histories from databases of other programs.
  private static let application: Int64 = 0x706F_7348

  /// Rejects other programs' databases and those of later versions, configures the connection, and migrates.
  static func configure(_ database: Database) throws(StoreError) {
    try self.recognise(database)
    // Deleted positions must not remain readable in the file, and temporary ones never come to the disk.
    try database.run("PRAGMA secure_delete = ON")
    try database.run("PRAGMA temp_store = MEMORY")
    try database.run("PRAGMA trusted_schema = OFF")
    // In KiB.
    try database.run("PRAGMA cache_size = -512")
    guard try database.texts("PRAGMA journal_mode = WAL") == ["wal"] else {
      throw StoreError(.transient, database.path, "its file system does not support SQLite's write-ahead log")
    }
    try database.run("PRAGMA wal_autocheckpoint = 64")
    try database.run("PRAGMA journal_size_limit = 1048576")
    let version = try self.version(of: database)
    for (number, step) in self.steps.enumerated() where number >= version {
      try database.transaction { () throws(StoreError) in
        // The other program may have done it meanwhile.
        guard try self.version(of: database) == number else { return }
        try database.script(step)
        try database.script("PRAGMA application_id = \(self.application); PRAGMA user_version = \(number + 1)")
      }
    }
  }

  private static func version(of database: Database) throws(StoreError) -> Int {
    Int(try database.integer("PRAGMA user_version") ?? 0)
  }

  private static func recognise(_ database: Database) throws(StoreError) {
    let isEmpty = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
    let application = try database.integer("PRAGMA application_id")
    guard isEmpty || application == self.application else {
      throw StoreError(.unusable, database.path, "it is a database of another program")
    }
    let version = try self.version(of: database)
    guard version <= self.steps.count else {
      throw StoreError(
        .unusable, database.path,
        "it is of version \(version), made by a later positiond-history; this one knows version \(self.steps.count):"
          + " install the later one, or move the file away")
    }
  }
}
