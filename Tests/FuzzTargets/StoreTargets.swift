import Broker
import EventLoop
import JSONRPC
import Positioning
import WorldSupport

@testable import Store

/// The body of a stored value is unreadable, or it is written and read as the same.
enum RecordTarget {
  private static let kinds: [any Record.Type] = [
    Fix.self, SubscriptionParameters.self, AccuracyDemand.self, Acquisition.self, DurableEvent.self,
    PositionUpdate.self, RegionEvent.self, Visit.self, RegionSnapshot.self, StoredRegion.self, PermissionRecord.self,
    Decision.self,
    VisitDetector.Snapshot.self, LocationFuzzer.Snapshot.self, ReceiverMemory.self,
  ]

  static func run(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let kind: any Record.Type = self.kinds[Int(first) % self.kinds.count]
    self.check(kind, text(input.dropFirst()))
  }

  private static func check<Value: Record>(_ kind: Value.Type, _ body: String) {
    guard let value = try? Value(body: body) else { return }
    let written = value.body
    guard let again = try? Value(body: written) else {
      fatalError("a \(kind) that was written is not read: \(written)")
    }
    require(again.body == written, "a \(kind) changes when it is written and read", "\(body) \(written)")
  }
}

/// A permission file grants a user no more than stands in it for that user, and one that cannot be read grants nothing.
enum PermissionTarget {
  static func run(_ input: [UInt8]) {
    let disk = MemoryDisk(name: "fuzz-permission", seed: 1)
    let file = PermissionFile(beside: "/fuzz.db", on: disk)
    guard (try? disk.write(input, to: file.path, mode: 0o600, isDurable: true)) != nil else { return }
    let state = StoreQueue.permissions(
      beside: "/fuzz.db", on: disk, because: StoreError(.transient, "open", "it is broken"),
      clock: BootClock(boot: "boot 1") { .seconds(1_000_000) }, now: Instant(sinceBoot: .seconds(10_000)))
    guard state.unread == nil else {
      require(!state.isEnabled && state.decisions.isEmpty, "a file that cannot be read grants something", text(input))
      return
    }
    // Bytes that are no UTF-8 are replaced before, and make at most their own row unreadable.
    let members: [String: JSONValue]
    do throws(RPCError) {
      guard case .object(let found) = try JSONValue(parsing: Array(text(input).utf8)) else {
        fatalError("what is no object was read: \(text(input))")
      }
      members = found
    } catch {
      // A number beyond all bounds in a member that nobody reads is JSON.
      require("\(error.data ?? .null)\(error.message)".contains("1.8e308"), "what is no JSON was read", text(input))
      return
    }
    require(!state.isEnabled || members["isOn"] == true, "the master switch is on", text(input))
    for (uid, decision) in state.decisions {
      guard let level = decision.level else { continue }
      require(self.levels(members, of: uid).contains(level.rawValue), "user \(uid) has \(level)", text(input))
    }
  }

  /// What stands in the file for a user.
  private static func levels(_ members: [String: JSONValue], of uid: UInt32) -> [String] {
    guard case .array(let rows)? = members["decisions"] else { return [] }
    return rows.compactMap { row in
      guard row["uid"] == .integer(Int(uid)), case .string(let body)? = row["body"]?["text"],
        case .string(let level)? = (try? JSONValue(parsing: Array(body.utf8)))?["level"]
      else { return nil }
      return level
    }
  }
}

/// A database of any bytes is opened, or set aside, and then is one.
enum DatabaseTarget {
  /// A database with something of each kind.
  private static let sound: [UInt8] = {
    let disk = MemoryDisk(name: "fuzz-sound", seed: 1)
    let decision = Decision(user: "anna", level: .always, precision: .reduced, at: Instant(sinceBoot: .seconds(5)))
    do {
      // Closed at the end of this scope, so that the file has everything.
      let tables = try DatabaseTarget.open(disk).tables
      try tables.commit([
        .putEnabled(true), .putDecision(1000, decision),
        .putName(DurableID(uid: 1000, name: "tracker"), user: "anna", wake: nil),
      ])
    } catch {
      fatalError("no database can be written: \(error)")
    }
    return (try? disk.read("/fuzz.db", limit: 1 << 24)) ?? []
  }()

  /// - Parameter input: Changes: two bytes of a place, one byte to write there.
  static func run(_ input: [UInt8]) {
    var bytes = self.sound
    guard !bytes.isEmpty else { return }
    for change in stride(from: 0, to: input.count - 2, by: 3) {
      bytes[(Int(input[change]) << 8 | Int(input[change + 1])) % bytes.count] = input[change + 2]
    }
    let disk = MemoryDisk(name: "fuzz-database", seed: 1)
    _ = try? disk.write(bytes, to: "/fuzz.db", mode: 0o600, isDurable: true)
    // What is damaged is set aside, row by row or as a whole, so that the second start finds nothing to do.
    guard (try? self.open(disk)) != nil else { return }
    let again = try? self.open(disk)
    require(again != nil, "a database that was opened is not opened again", "\(input)")
  }

  private static func open(_ disk: MemoryDisk) throws -> (tables: StoreTables, state: StoredState) {
    try StoreQueue.read(
      StoreFile(path: "/fuzz.db", on: disk) { _, _ in }, .current,
      clock: BootClock(boot: "boot 1") { .seconds(1_000_000) }, now: Instant(sinceBoot: .seconds(10_000)))
  }
}
