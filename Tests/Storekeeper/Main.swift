import Broker
import EventLoop
import Glibc
import Positioning
import Store

/// Stores one event after the other, and prints the number of each once it is stored: `storekeeper DATABASE`. A test
/// kills it.
@main
enum Main {
  static func main() throws {
    let loop = try EventLoop()
    let keeper = try Keeper(path: CommandLine.arguments[1], on: loop)
    for _ in 0..<Keeper.chains { keeper.keepNext() }
    _ = try loop.run()
  }
}

private final class Keeper {
  /// How many batches are under way at any time: more than one, so that several share a commit.
  static let chains = 3
  private static let id = DurableID(uid: 0, name: "kept")

  private let queue: StoreQueue
  private var number: UInt64

  init(path: String, on loop: EventLoop) throws {
    let opened = try StoreQueue.open(loop: loop, path: path, now: loop.readClock()) {
      Self.say($1.text)
    }
    self.queue = opened.queue
    self.number = opened.state.names.first?.lastEvent ?? 0
    // Events that the test has counted are removed, or reading would take ever longer.
    let changes: [StoreChange] = [
      .putName(Self.id, user: nil, wake: nil), .acknowledge(Self.id, through: self.number),
      .putRegion(Self.id, StoredRegion(region: Self.region, snapshot: RegionSnapshot())),
    ]
    self.queue.store(changes, then: {}, refused: { Self.say($0) })
  }

  /// The number is in three rows, so that half a batch would be noticed.
  func keepNext() {
    self.number += 1
    let number = self.number
    let now = Instant(sinceBoot: .nanoseconds(Int64(number)))
    let visit = Visit(id: Int(number), latitude: 0, longitude: 0, horizontalAccuracy: 1)
    let position = StoredPosition(
      parameters: SubscriptionParameters(mode: .significant), expiry: nil, updates: Int(number))
    let changes: [StoreChange] = [
      .putEvent(Self.id, DurableEvent(id: number, at: now, content: .visit(visit))),
      .setRegionSnapshot(Self.id, id: "region", RegionSnapshot(state: .inside, since: now)),
      .putPosition(Self.id, position),
    ]
    self.queue.store(
      changes,
      then: {
        Self.say("\(number)")
        self.keepNext()
      }, refused: { Self.say($0) })
  }

  private static var region: Region {
    Region(id: "region", shape: .circle(center: Coordinate(latitude: 0, longitude: 0), radius: 1))
  }

  private static func say(_ text: String) {
    let bytes = Array("\(text)\n".utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}
