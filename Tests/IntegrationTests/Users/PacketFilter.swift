import EventLoop
import ReceiverSimulator
import TestSupport

/// The packet filter as its unit loads and removes it, in the network of the calling thread.
struct PacketFilter {
  /// Whether the kernel has nf_tables, and lets root use it. If only nft is missing, the test fails.
  static let isPossible: Bool = {
    guard OwnNetwork.canBeMade else { return false }
    guard File.isExecutable("/usr/sbin/nft") else { return true }
    do { return try SystemProgram.run("/usr/bin/unshare", ["-n", "nft", "list", "tables"]).code == 0 } catch {
      return true
    }
  }()

  static let reason = "this test filters packets in a network of its own: it needs root, and nf_tables in the kernel"

  private let folder: TemporaryFolder
  private let unit: String
  /// The user in positiond's place.
  private let daemon: String

  /// - Parameters:
  ///   - daemon: In the place of the user positiond.
  ///   - port: In the place of gpsd's.
  init(daemon: String, port: UInt16 = 2947) throws {
    self.folder = try TemporaryFolder()
    self.unit = Documents.text("systemd/positiond-gpsd-filter.service")
    self.daemon = daemon
    let rules = Documents.text("config/positiond-gpsd.nft").replacing("dport 2947", with: "dport \(port)")
    try File.write(Array(rules.utf8), to: self.folder.file("positiond-gpsd.nft"))
  }

  func start() throws { try self.perform("ExecStart") }
  func reload() throws { try self.perform("ExecReload") }
  func stop() throws { try self.perform("ExecStop") }

  /// nft's list of everything that is loaded.
  func ruleset() throws -> String { try self.nft(["list", "ruleset"]) }

  @discardableResult
  func nft(_ words: [String]) throws -> String {
    let (code, said) = try SystemProgram.run("/usr/sbin/nft", words)
    guard code == 0 else { throw TimedOut("nft \(words): \(code): \(said)") }
    return said
  }

  /// Runs the unit's lines of that name as systemd does: one that begins with "-" may fail.
  private func perform(_ key: String) throws {
    var count = 0
    for line in self.unit.split(separator: "\n") where line.hasPrefix("\(key)=") {
      let mayFail = line.hasPrefix("\(key)=-")
      let command = line.dropFirst(key.count + (mayFail ? 2 : 1))
        .replacing("/usr/share/positiond", with: self.folder.path)
        .replacing("{ positiond }", with: "{ \(self.daemon) }")
      let words = command.split(separator: " ").map { String($0) }
      guard words.first == "/usr/sbin/nft" else { throw TimedOut("not nft: \(line)") }
      let (code, said) = try SystemProgram.run(words[0], Array(words.dropFirst()))
      guard code == 0 || mayFail else { throw TimedOut("\(line): \(code): \(said)") }
      count += 1
    }
    guard count > 0 else { throw TimedOut("the unit has no \(key)") }
  }
}
