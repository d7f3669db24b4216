import SQLite

/// The tables of the history's file, and the steps that migrate an older one.
enum HistorySchema {
  // "posH".
  private static let versions = SchemaSteps(
    [HistorySchema.first], application: 0x706F_7348, program: "positiond-history")

  private static let first = """
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

  /// Rejects other programs' databases and those of later versions, configures the connection, and migrates.
  static func configure(_ database: Database) throws(StoreError) {
    try self.versions.recognise(database)
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
    try self.versions.migrate(database)
  }
}
