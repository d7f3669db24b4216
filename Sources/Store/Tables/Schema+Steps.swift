extension Schema {
  /// Bodies are JSON, and their moments count from the boot of their `clock`.
  static let version1 = """
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

  /// Permission. Before version 2 there were no permissions, so existing states come from precise fixes.
  static let version2 = """
    -- By which fixes the name's states and events came about, in words; NULL: it may know none.
    ALTER TABLE names ADD COLUMN view TEXT;
    UPDATE names SET view = 'precise';

    -- What persons answered, for all programs of a user; user: whose number it was then.
    CREATE TABLE decisions (
      uid INTEGER PRIMARY KEY,
      user TEXT NOT NULL,
      body TEXT NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks
    ) STRICT;

    -- The master switch; on where there is no row.
    CREATE TABLE master_switch (
      key INTEGER PRIMARY KEY CHECK (key = 0),
      is_on INTEGER NOT NULL
    ) STRICT;

    -- How the position is fuzzed for those who may know it roughly.
    CREATE TABLE disguise (
      key INTEGER PRIMARY KEY CHECK (key = 0),
      body TEXT NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks
    ) STRICT;

    -- What the detector of visits remembers, for each view in words.
    CREATE TABLE visit_memories (
      view TEXT PRIMARY KEY,
      body TEXT NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks
    ) STRICT;
    INSERT INTO visit_memories SELECT 'precise', body, clock FROM visit_memory;
    DROP TABLE visit_memory;
    """

  /// Limits on repetition that must hold across a restart, or when a name is registered again.
  static let version3 = """
    -- When a unit was last started for an event of the user; at: ns since the boot of its clock.
    CREATE TABLE wake_starts (
      uid INTEGER NOT NULL,
      unit TEXT NOT NULL,
      at INTEGER NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks,
      PRIMARY KEY (uid, unit)
    ) STRICT;
    """

  /// Unreadable decisions are not forgotten at the next start.
  static let version4 = """
    -- unread: why nobody knows what was decided before, in words; NULL: it could be read, or the switch was turned on
    -- since.
    ALTER TABLE master_switch ADD COLUMN unread TEXT;
    """

  /// A receiver that was turned off is turned on by the next daemon.
  static let version5 = """
    -- rung: what turned it off; device: its path as gpsd knows it; unit: the system unit that turns it on.
    CREATE TABLE stopped_receiver (
      key INTEGER PRIMARY KEY CHECK (key = 0),
      rung TEXT NOT NULL,
      device TEXT,
      unit TEXT
    ) STRICT;
    """

  /// How long the receiver takes is not learned anew after each start of the daemon.
  static let version6 = """
    -- What is known of the receiver's starts.
    CREATE TABLE receiver_memory (
      key INTEGER PRIMARY KEY CHECK (key = 0),
      body TEXT NOT NULL,
      clock INTEGER NOT NULL REFERENCES clocks
    ) STRICT;
    """

  /// The unit that turned a receiver off may still run when the next daemon starts the other one.
  static let version7 = """
    -- off_unit: the system unit that turned it off; NULL: none, or not known.
    ALTER TABLE stopped_receiver ADD COLUMN off_unit TEXT;
    """
}
