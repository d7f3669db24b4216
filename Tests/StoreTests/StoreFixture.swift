import Broker
import EventLoop
import FoundationEssentials
import Positioning
import TestSupport
import Testing

@testable import Store

/// A database of a test's own, and its log messages.
final class StoreFixture {
  let folder: TemporaryFolder
  let path: String
  var clock: BootClock
  private(set) var messages: [(kind: LogKind, text: String)] = []

  /// - Parameter epoch: The wall clock's time at the boot, seconds since 1970.
  init(boot: String? = "boot 1", epoch: Int64 = 1_000_000) throws {
    self.folder = try TemporaryFolder(prefix: "positiond-store-")
    self.path = self.folder.file("positiond.db")
    self.clock = .fixed(boot, epoch: epoch)
  }

  var file: StoreFile { StoreFile(path: self.path) { [unowned self] in self.messages.append(($0, $1.text)) } }

  /// Opens and reads it, as the daemon does at its start.
  func open(
    _ schema: Schema = .current, now: Instant = at(10_000)
  ) throws -> (tables: StoreTables, state: StoredState) {
    try StoreQueue.read(self.file, schema, clock: self.clock, now: now)
  }

  /// The state that the next start reads.
  func state(now: Instant = at(10_000)) throws -> StoredState { try self.open(now: now).state }

  func names(at suffix: String = "set-aside") throws -> [String] {
    try filesIn(self.folder.path).filter { $0.contains(suffix) }
  }

  func said(_ text: String) -> Bool { self.messages.contains { $0.text.contains(text) } }
}

extension BootClock {
  static func fixed(_ boot: String?, epoch: Int64) -> BootClock { BootClock(boot: boot) { .seconds(epoch) } }
}

func at(_ seconds: Double) -> Instant { Instant(sinceBoot: .nanoseconds(Int64(seconds * 1e9))) }

/// The names of the files in a folder.
func filesIn(_ folder: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
}

let anna = DurableID(uid: 1000, name: "tracker")

extension StoreModel {
  /// Makes changes that are all valid.
  mutating func take(_ changes: [StoreChange]) {
    do throws(Missing) {
      try self.commit(changes)
    } catch {
      Issue.record("\(error)")
    }
  }
}
