import Broker
import Glibc
import Gpsd
import Positioning
import Testing

@testable import Configuration

/// The order of the files, and the errors for files that cannot be read.
@Suite struct FilesTests {
  @Test("drop-ins override the main file in the order of their names; other files are ignored")
  func dropIns() throws {
    let folder = try TemporaryFolder()
    try folder.write("main.conf", "[gpsd]\nport=1\n[log]\nlevel=debug")
    try folder.makeFolder("main.conf.d")
    try folder.write("main.conf.d/20-b.conf", "[gpsd]\nport=20")
    try folder.write("main.conf.d/9-a.conf", "[gpsd]\nport=9\n[fix]\nmax-speed=9")
    try folder.write("main.conf.d/10-c.conf", "[gpsd]\nport=10\n[fix]\nmax-speed=10")
    try folder.write("main.conf.d/99.conf~", "nonsense")
    try folder.write("main.conf.d/.99.conf", "nonsense")
    try folder.write("main.conf.d/README", "nonsense")
    let read = try Settings.load(path: folder.path + "/main.conf").get()
    // By their bytes "10-c" comes before "20-b", and that before "9-a".
    #expect(read.gpsd.port == 9)
    #expect(read.broker.fixes.maxSpeed == 9)
    #expect(read.logLevel == .debug)
  }

  @Test("an error in a drop-in names the drop-in")
  func errorInDropIn() throws {
    let folder = try TemporaryFolder()
    try folder.write("main.conf", "")
    try folder.makeFolder("main.conf.d")
    try folder.write("main.conf.d/a.conf", "\n[gpsd]\nport=0")
    let found = Self.errors(folder.path + "/main.conf")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("\(folder.path)/main.conf.d/a.conf:3: port=0 in [gpsd]") == true)
  }

  @Test("a named file that is missing is an error, and its drop-ins are checked all the same")
  func missing() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("none.conf.d")
    try folder.write("none.conf.d/a.conf", "[rtcm]")
    let found = Self.errors(folder.path + "/none.conf")
    #expect(
      found.first == "\(folder.path)/none.conf: cannot be read: No such file or directory; check the path and its"
        + " permissions")
    #expect(found.count == 2)
  }

  @Test("a folder or a FIFO in place of a file is an error and not a hang")
  func notAFile() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("folder.conf")
    #expect(Self.errors(folder.path + "/folder.conf").first?.contains("Is a directory") == true)
    try folder.makeFIFO("fifo.conf")
    // A FIFO without a writer reads as empty.
    #expect(Self.errors(folder.path + "/fifo.conf") == [])
  }

  @Test("a file in place of the drop-in folder is an error")
  func folderIsAFile() throws {
    let folder = try TemporaryFolder()
    try folder.write("main.conf", "")
    try folder.write("main.conf.d", "")
    #expect(Self.errors(folder.path + "/main.conf").first?.contains("main.conf.d: cannot be read: Not a dir") == true)
  }

  @Test("a file over the limit is an error, and an endless one too")
  func tooLarge() throws {
    let folder = try TemporaryFolder()
    try folder.write("main.conf", String(repeating: "#\n", count: ConfigurationFiles.largestFile / 2))
    #expect(Self.errors(folder.path + "/main.conf") == [])
    try folder.write("main.conf", String(repeating: "#\n", count: ConfigurationFiles.largestFile / 2) + "#")
    #expect(Self.errors(folder.path + "/main.conf").first?.contains("is larger than 1048576 bytes") == true)
    #expect(Self.errors("/dev/zero").first?.contains("is larger than") == true)
  }

  private static func errors(_ path: String) -> [String] {
    switch Settings.load(path: path) {
    case .success: []
    case .failure(let errors): errors.all.map(\.description)
    }
  }
}

/// A folder of one test, which is removed with this object.
private final class TemporaryFolder {
  let path: String
  private var made: [String]

  init() throws {
    var template = Array("/tmp/configuration-XXXXXX".utf8CString)
    let isMade = unsafe template.withUnsafeMutableBufferPointer { buffer in
      guard let name = buffer.baseAddress else { return false }
      return unsafe mkdtemp(name) != nil
    }
    try #require(isMade)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    made = [path]
  }

  deinit {
    for path in made.reversed() { _ = unsafe remove(path) }
  }

  func makeFolder(_ name: String) throws {
    try #require(unsafe mkdir(add(name), 0o700) == 0)
  }

  func makeFIFO(_ name: String) throws {
    try #require(unsafe mkfifo(add(name), 0o600) == 0)
  }

  func write(_ name: String, _ text: String) throws {
    try writeFile(add(name), text)
  }

  private func add(_ name: String) -> String {
    made.append("\(path)/\(name)")
    return "\(path)/\(name)"
  }
}
