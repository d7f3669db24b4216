import Broker
import EventLoop
import Positioning
import TestSupport
import Testing

@testable import Store

/// The database's form, and the migration of older ones.
@Suite(.timeLimit(.minutes(TestDeadline.minutes))) struct SchemaTests {
  @Test("A new database has the newest version, and commits survive a loss of power")
  func newDatabase() throws {
    let fixture = try StoreFixture()
    let database = try fixture.open().tables.database
    #expect(try Schema.version(of: database) == Schema.current.steps.count)
    #expect(try database.texts("PRAGMA journal_mode") == ["wal"])
    #expect(try database.integer("PRAGMA synchronous") == 2)
    #expect(try database.integer("PRAGMA foreign_keys") == 1)
    #expect(try database.texts("PRAGMA locking_mode") == ["exclusive"])
    #expect(try database.integer("PRAGMA secure_delete") == 1)
  }

  @Test(
    "A database of an older version, or of this one, is read by this version",
    arguments: [(1, Version1.state), (2, Version2.state), (3, Version3.state), (7, Version7.state)])
  func released(version: Int, state: StoredState) throws {
    let fixture = try StoreFixture(boot: Version1.boot, epoch: Version1.epoch)
    try Self.make(version, in: fixture)
    #expect(try fixture.open(now: Version1.now).state == state)
    #expect(fixture.messages.map(\.kind) == (state.unread == nil ? [] : [.decisionsUnread]), "\(fixture.messages)")
    #expect(try Schema.version(of: fixture.open().tables.database) == Schema.current.steps.count)
  }

  @Test(
    "This version writes the same as when it was released",
    arguments: [(3, Version3.changes), (7, Version7.changes)])
  func bodies(version: Int, changes: [StoreChange]) throws {
    // A difference here is a change of the form: older databases have the old one.
    let fixture = try StoreFixture(boot: Version1.boot, epoch: Version1.epoch)
    try fixture.open().tables.commit(changes)
    let written = try fixture.open().tables.database
    let expected = try StoreFixture()
    try Self.make(version, in: expected)
    let kept = try expected.open(now: Version1.now).tables.database
    let tables = try written.texts("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    #expect(tables.count == 14)
    for table in tables { #expect(try Self.content(of: table, written) == Self.content(of: table, kept), "\(table)") }
    let form = "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY 1"
    #expect(try written.texts(form) == kept.texts(form))
  }

  @Test(
    "The list of what is stored has every table, and the columns that refer to others have the names by which they are found"
  )
  func registry() throws {
    let database = try StoreFixture().open().tables.database
    let tables = try database.texts("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    #expect(tables == Registry.all.map { $0.table }.sorted())
    let references = try database.texts(
      """
      SELECT DISTINCT f."table" || ' ' || f."from" FROM sqlite_schema AS s JOIN pragma_foreign_key_list(s.name) AS f
      WHERE s.type = 'table' ORDER BY 1
      """)
    #expect(references == ["clocks clock", "names name"])
    #expect(try database.tables(referringTo: "names") == ["events", "positions", "regions"])
  }

  @Test("Each version of the schema has a step")
  func steps() { #expect(Schema.current.steps.count == 7 && Schema.current.steps.allSatisfy { !$0.isEmpty }) }

  @Test("Missing steps are executed, in order, and the data stays")
  func migration() throws {
    let fixture = try StoreFixture()
    try fixture.open().tables.commit(Version1.changes)
    let later = Schema(
      steps: Schema.current.steps + [
        "ALTER TABLE names ADD COLUMN colour TEXT; UPDATE names SET colour = 'red'",
        "UPDATE names SET colour = colour || 'dish'; CREATE TABLE further (x)",
      ])
    let (tables, state) = try fixture.open(later)
    #expect(try Schema.version(of: tables.database) == Schema.current.steps.count + 2)
    #expect(try tables.database.texts("SELECT DISTINCT colour FROM names") == ["reddish"])
    #expect(state.names.count == 2)
  }

  @Test("A step that fails changes nothing, and the database is set aside unchanged")
  func failingStep() throws {
    let fixture = try StoreFixture()
    try fixture.open().tables.commit(Version1.changes)
    let wrong = Schema(steps: Schema.current.steps + ["CREATE TABLE further (x); INSERT INTO nowhere VALUES (1)"])
    #expect(throws: StoreError.self) { try fixture.open(wrong) }
    #expect(fixture.said("no such table: nowhere"))
    let aside = try #require(try fixture.names().first)
    let database = try Database(path: fixture.folder.file(aside))
    #expect(try Schema.version(of: database) == Schema.current.steps.count)
    #expect(try database.integer("SELECT count(*) FROM names") == 2)
    #expect(try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'further'") == 0)
  }

  private static func make(_ version: Int, in fixture: StoreFixture) throws {
    try fixture.file.prepare()
    let script = try readBytes("\(PackageRoot.path)/Tests/StoreTests/Fixtures/version\(version).sql")
    try Database(path: fixture.path).script(String(decoding: script, as: UTF8.self))
  }

  /// Every row as one text, in the order of their keys.
  private static func content(of table: String, _ database: Database) throws -> [String] {
    let columns = try database.texts("SELECT name FROM pragma_table_info(?)", table)
    let texts = columns.map { "quote(\($0))" }.joined(separator: " || ' ' || ")
    return try database.texts("SELECT \(texts) FROM \(table) ORDER BY 1")
  }
}
