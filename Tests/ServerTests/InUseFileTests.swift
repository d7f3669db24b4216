import EventLoop
import FoundationEssentials
import Glibc
import JSONRPC
import Positioning
import Synchronization
import TestSupport
import Testing

@testable import Broker
@testable import Server

/// The file that shows every user who is in use of positions.
@Suite struct InUseFileTests {
  private static let users = [
    DaemonStatus.InUse(
      uid: 1000, user: "ada", unit: "tracker.service", programs: ["tracker", "chart"], since: Clocks.system.sinceBoot()),
    DaemonStatus.InUse(uid: 1001, programs: [], since: Clocks.system.sinceBoot()),
  ]

  private let folder: TemporaryFolder
  private let log = Log()

  init() throws { self.folder = try TemporaryFolder() }

  private var path: String { self.folder.file("in-use.json") }

  private func file(in folder: String? = nil) -> InUseFile {
    let log = self.log
    return InUseFile(beside: "\(folder ?? self.folder.path)/positiond.sock", clocks: .system) { kind, message in
      log.lines.withLock { $0.append("\(kind.level): \(message.text)") }
    }
  }

  private func content() throws -> JSONValue {
    try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: self.path))))
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: self.folder.path).sorted() }
  }

  @Test("is empty at the start, then has the users in use of positions, and is removed at the end")
  func life() throws {
    let file = self.file()
    #expect(try self.names == [])
    file.begin()
    #expect(try self.content() == ["inUse": []])
    file.write(Self.users)
    let content = try self.content()
    guard case .array(let users)? = content["inUse"] else { Issue.record("\(content)"); return }
    let pattern = #"""
      {"uid": 1000, "user": "ada", "unit": "tracker.service", "programs": ["tracker", "chart"], "since": ...}
      """#
    #expect(users.count == 2)
    #expect(try JSONPattern(parsing: pattern).matches(users[0]))
    #expect(try JSONPattern(parsing: #"{"uid": 1001, "programs": [], "since": ...}"#).matches(users[1]))
    #expect(try Data(contentsOf: URL(filePath: self.path)).last == 10)
    file.write([])
    #expect(try self.content() == ["inUse": []])
    #expect(try self.names == ["in-use.json"])
    file.end()
    #expect(try self.names == [])
    #expect(self.log.count == 0)
  }

  @Test("may be read by everybody and written by its owner, whatever the umask and an earlier file")
  func mode() throws {
    try Data().write(to: URL(filePath: self.path))
    unsafe chmod(self.path, 0o600)
    self.file().begin()
    var status = stat()
    #expect(unsafe stat(self.path, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o644)
  }

  @Test("is not changed by a daemon that does not serve")
  func untouched() throws {
    try Data("theirs".utf8).write(to: URL(filePath: self.path))
    let file = self.file()
    file.write(Self.users)
    file.end()
    #expect(try Data(contentsOf: URL(filePath: self.path)) == Data("theirs".utf8))
    // A value from before it serves is not lost.
    file.write(Self.users)
    file.begin()
    guard case .array(let users)? = try self.content()["inUse"] else { Issue.record("no list"); return }
    #expect(users.count == 2)
  }

  @Test("is logged once if it cannot be written, and is never outdated")
  func failure() throws {
    let file = self.file()
    file.begin()
    // A folder in place of the temporary file.
    unsafe mkdir("\(self.path).new", 0o700)
    for _ in 0..<3 { file.write(Self.users) }
    #expect(self.log.count == 1)
    #expect(self.log.lines.withLock { $0.first?.hasPrefix("warning: \(self.path) cannot show") } == true)
    #expect(try self.names == ["in-use.json.new"])
    unsafe rmdir("\(self.path).new")
    file.write(Self.users)
    #expect(try self.names == ["in-use.json"])
    #expect(self.log.count == 1)
    // An error that ends and occurs again is logged again.
    unsafe mkdir("\(self.path).new", 0o700)
    file.write([])
    #expect(self.log.count == 2)
  }

  @Test("is complete whenever it is read")
  func whole() throws {
    let file = self.file()
    file.begin()
    let first = unsafe open(self.path, O_RDONLY | O_CLOEXEC)
    file.write(Self.users)
    // A reader that opened it earlier has the contents of that time.
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = unsafe read(first, &bytes, bytes.count)
    #expect(String(decoding: bytes[..<max(0, count)], as: UTF8.self) == "{\"inUse\":[]}\n")
    close(first)
  }
}
