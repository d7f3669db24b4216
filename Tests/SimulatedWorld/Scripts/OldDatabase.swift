import EventLoop
import WorldSupport

/// A database that an earlier version of the daemon has left, with what must be there when a newer one has opened it.
package struct OldDatabase: Hashable, Sendable {
  /// Something durable in it, and a program that takes it over.
  package struct Name: Hashable, Sendable {
    package var program: String
    package var uid: UInt32
    /// As it stands in JSON.
    package var name: String
    package var regions: Set<String>
  }

  static let path = "/var/lib/positiond/positiond.db"
  package var version: String
  package var names: [Name]
  /// About which user what was decided.
  package var decisions: [String]
  /// The users of the decisions.
  private var users: [Int]

  private init(_ version: String, _ names: [Name], _ decisions: [(user: Int, decision: String)]) {
    (self.version, self.names) = (version, names)
    self.decisions = decisions.map { "\($0.user) \($0.decision)" }
    self.users = decisions.map(\.user)
  }

  func regions(of name: String) -> Set<String> { self.names.first { $0.name == name }?.regions ?? [] }

  /// Those of Tests/StoreTests/Fixtures. What was to expire in them has expired.
  package static let all = [
    OldDatabase("version1", Self.names(regions: ["park"]), []),
    OldDatabase("version2", Self.names(regions: ["park"]), Self.decisions),
    OldDatabase("version3", Self.names(regions: ["park", "field"]), Self.decisions),
    OldDatabase("version7", Self.names(regions: ["park", "field"]), Self.decisions),
    OldDatabase(
      "0.1.0",
      [
        Name(program: "tracker", uid: 0, name: "tracker", regions: ["home", "field"]),
        Name(program: "old visits", uid: 0, name: "visits", regions: []),
      ], [(1, "deny "), (65_534, "always reduced")]),
  ]

  private static func names(regions: Set<String>) -> [Name] {
    [
      Name(program: "tracker", uid: 1000, name: "tracker", regions: regions),
      Name(program: "café", uid: 4_294_967_294, name: #"café \"1\""#, regions: []),
    ]
  }

  private static var decisions: [(user: Int, decision: String)] { [(1000, "always reduced"), (1001, "deny ")] }

  func make(on disk: MemoryDisk) throws {
    let root = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    let script = try SystemDisk().read("\(root)/StoreTests/Fixtures/\(self.version).sql", limit: 1 << 20)
    try disk.makeDatabase(Self.path, by: String(decoding: script, as: UTF8.self))
  }

  /// What an administrator asks for once the new version runs: what was decided, and that all is as with a new database.
  var calls: [(method: String, parameters: String)] {
    [("admin.enable", "{}"), ("admin.grants", "{}")] + self.users.map { ("admin.revoke", #"{"user":\#($0)}"#) }
  }
}
