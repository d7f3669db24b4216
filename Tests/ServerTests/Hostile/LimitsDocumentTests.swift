import EventLoop
import Glibc
import TestSupport
import Testing

/// The table of limits, compared with the tests and the configuration that it names.
@Suite struct LimitsDocumentTests {
  private static func text(_ path: String) throws -> String {
    guard let file = unsafe fopen("\(PackageRoot.path)/\(path)", "r") else { throw TimedOut("\(path) cannot be read") }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while case let count = unsafe fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Where the tests of the table are.
  private static let files = [
    "Tests/BrokerTests/Durable/CommitsTests.swift",
    "Tests/BrokerTests/Durable/DurableTests.swift",
    "Tests/BrokerTests/Durable/DurableWakeTests.swift",
    "Tests/BrokerTests/Durable/InboxTests.swift",
    "Tests/BrokerTests/Durable/StoreErrorTests.swift",
    "Tests/BrokerTests/Durable/UnopenedStoreTests.swift",
    "Tests/BrokerTests/HoldingsTests.swift",
    "Tests/BrokerTests/Permission/LateStoreTests.swift",
    "Tests/BrokerTests/Permission/LocationFuzzerTests.swift",
    "Tests/BrokerTests/Permission/PromptTests.swift",
    "Tests/BrokerTests/Permission/SubordinateTests.swift",
    "Tests/BrokerTests/Permission/ViewTests.swift",
    "Tests/BrokerTests/Regions/WatchedRegionTests.swift",
    "Tests/BrokerTests/Subscriptions/DeferredTests.swift",
    "Tests/EventLoopTests/Accounts/AccountLookupQueueTests.swift",
    "Tests/EventLoopTests/Accounts/AccountServiceTests.swift",
    "Tests/GeoClueTests/GeoClueServiceTests.swift",
    "Tests/GeoClueTests/HostileCallsTests.swift",
    "Tests/GpsdTests/Driver/FakeGpsdTests.swift",
    "Tests/GpsdTests/Driver/ReportBacklogTests.swift",
    "Tests/IntegrationTests/MQTT/HostileBrokerTests.swift",
    "Tests/IntegrationTests/GeoClueHostileTests.swift",
    "Tests/IntegrationTests/Process/DescriptorTests.swift",
    "Tests/MQTTBridgeTests/MachineTests.swift",
    "Tests/ServerTests/AgentTests.swift",
    "Tests/ServerTests/GpsdDoorTests.swift",
    "Tests/ServerTests/Hostile/BatchTests.swift",
    "Tests/ServerTests/Hostile/DoorTests.swift",
    "Tests/ServerTests/Hostile/FloodTests.swift",
    "Tests/ServerTests/Hostile/FramingTests.swift",
    "Tests/ServerTests/Hostile/LeavingTests.swift",
    "Tests/ServerTests/Hostile/LimitTests.swift",
    "Tests/ServerTests/Hostile/MessageTests.swift",
    "Tests/ServerTests/Hostile/PlacesTests.swift",
    "Tests/ServerTests/IdleQueueTests.swift",
    "Tests/ServerTests/NMEADoorTests.swift",
    "Tests/ServerTests/NamesTests.swift",
    "Tests/ServerTests/Serving/ResultTests.swift",
    "Tests/ServerTests/SlowClientTests.swift",
    "Tests/ServerTests/TurnSchedulerTests.swift",
    "Tests/StoreTests/OpeningAttemptsTests.swift",
  ]

  /// The cells of each row: limit, default, key, past it, test.
  private static func rows() throws -> [[String]] {
    try self.text("docs/limits.md").split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { row in
      row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast().map { cell in
        String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
    }
  }

  /// The text between backquotes.
  private static func quoted(_ cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
      .map { String($0.element) }
  }

  @Test func `every test in the table exists`() throws {
    let sources = try Self.files.map { try Self.text($0) }
    let rows = try Self.rows()
    #expect(rows.count > 15 && rows.allSatisfy { $0.count == 5 })
    for row in rows {
      let names = Self.quoted(row.last ?? "")
      #expect(!names.isEmpty, "\(row[0]) names no test")
      for name in names {
        let isThere = sources.contains { $0.contains("func `\(name)`") || $0.contains("\"\(name)\"") }
        #expect(isThere, "no test is called \(name)")
      }
    }
  }

  @Test func `every key has the default of the configuration's own file`() throws {
    let configuration = try Self.text("config/positiond.conf")
    var keys = 0
    for row in try Self.rows() {
      for key in Self.quoted(row[2]) {
        keys += 1
        #expect(configuration.contains("\n#\(key)=\(row[1])\n"), "\(key) is \(row[1]) in the table alone")
      }
    }
    let limits = configuration.split(separator: "\n").filter { $0.hasPrefix("#max-") && !$0.hasPrefix("#max-speed") }
    #expect(keys == limits.count, "the table has \(keys) keys, the configuration \(limits.count)")
  }
}
