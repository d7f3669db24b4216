/// The form of the database, and the steps that bring an older one to it.
struct Schema {
  /// The first makes an empty database one of version 1, and so on. A step that was released is not changed any more.
  let steps: [String]

  static let current = Schema(steps: [version1])

  /// "posD": what tells ours from other programs' databases.
  private static let application: Int64 = 0x706F_7344

  /// How the connection behaves. What was committed lasts through a loss of power: in WAL mode `FULL` writes the log to
  /// the disk before a commit is done. Nobody else opens the database meanwhile, least of all a second daemon.
  func configure(_ database: Database) throws(StoreError) {
    try database.run("PRAGMA locking_mode = EXCLUSIVE")
    try self.recognise(database)
    guard try database.texts("PRAGMA journal_mode = WAL") == ["wal"] else {
      throw StoreError(.trouble, database.path, "its file system cannot have SQLite write ahead")
    }
    try database.run("PRAGMA synchronous = FULL")
    try database.run("PRAGMA foreign_keys = ON")
    try database.run("PRAGMA trusted_schema = OFF")
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

extension Schema {
  /// Bodies are JSON, and their moments count from the boot of their `clock`.
  private static let version1 = """
    -- The boots that moments count from; epoch: what the wall clock showed at the boot, ns since 1970.
    CREATE TABLE clocks (
      key INTEGER PRIMARY KEY,
      boot TEXT NOT NULL,
      epoch INTEGER NOT NULL,
      UNIQUE (boot, epoch)
    ) STRICT;

    CREATE TABLE names (
      key INTEGER PRIMARY KEY,
      uid INTEGER NOT NULL,
      name TEXT NOT NULL,
      user TEXT,
      wake TEXT,
      has_visits INTEGER NOT NULL DEFAULT 0,
      last_event INTEGER NOT NULL DEFAULT 0,
      dropped INTEGER NOT NULL DEFAULT 0,
      UNIQUE (uid, name)
    ) STRICT;

    -- The highest number of an event of any name of a user that was removed.
    CREATE TABLE retired (
      uid INTEGER PRIMARY KEY,
      last_event INTEGER NOT NULL
    ) STRICT;

    -- Keys rise in the order in which regions were added.
    CREATE TABLE regions (
      key INTEGER PRIMARY KEY,
      name INTEGER NOT NULL REFERENCES names ON DELETE CASCADE,
      id TEXT NOT NULL,
      body TEXT NOT NULL,
      standing TEXT NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks,
      UNIQUE (name, id)
    ) STRICT;

    CREATE TABLE positions (
      name INTEGER PRIMARY KEY REFERENCES names ON DELETE CASCADE,
      body TEXT NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks
    ) STRICT;

    CREATE TABLE events (
      name INTEGER NOT NULL REFERENCES names ON DELETE CASCADE,
      id INTEGER NOT NULL,
      body TEXT NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks,
      PRIMARY KEY (name, id)
    ) STRICT;

    CREATE TABLE visit_memory (
      key INTEGER PRIMARY KEY CHECK (key = 0),
      body TEXT NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks
    ) STRICT;

    -- What this version could not read, for whoever wants to look.
    CREATE TABLE unreadable (
      key INTEGER PRIMARY KEY,
      kind TEXT NOT NULL,
      uid INTEGER,
      name TEXT,
      id TEXT,
      body TEXT NOT NULL,
      reason TEXT NOT NULL
    ) STRICT;
    """
}
