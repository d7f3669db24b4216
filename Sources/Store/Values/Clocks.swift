package import EventLoop
import Positioning

/// The identity of this boot, and its time by the wall clock.
///
/// Moments count from the boot, so stored moments must be converted to the clock of a later boot. Both boots have only
/// the wall clock in common: it is used for moments of an earlier boot, and never for those of this boot.
package struct BootClock: Sendable {
  /// The kernel's identifier of this boot; `nil` if it cannot be read. Then every start counts as another boot.
  package var boot: String?
  /// The time of the boot by the wall clock, since 1970, computed now: it changes when the wall clock is stepped.
  package var epoch: @Sendable () -> Duration

  package init(boot: String?, epoch: @escaping @Sendable () -> Duration) {
    self.boot = boot
    self.epoch = epoch
  }

  /// The clock by which a loop lives.
  package init(of loop: EventLoop) {
    let clocks = loop.clocks
    self.init(boot: loop.bootIdentifier()) { clocks.wall() - clocks.sinceBoot().sinceBoot }
  }

  /// What the wall clock shows at a moment of this boot.
  func time(at moment: Instant) -> Timestamp { Timestamp(since1970: self.epoch() + moment.sinceBoot) }
}

/// What the moments of a row count from: a `BootClock` as it was when the row was written. That one reads the wall clock
/// again each time, and may not know its boot.
struct StoredClock: Hashable {
  var boot: String
  /// The time of the boot by the wall clock, since 1970.
  var epoch: Duration
}

extension StoredClock: StoredValue {
  static let table = "clocks"

  static let steps = [
    1: """
    -- The epoch is in ns.
    CREATE TABLE clocks (
      key INTEGER PRIMARY KEY,
      boot TEXT NOT NULL,
      epoch INTEGER NOT NULL,
      UNIQUE (boot, epoch)
    ) STRICT;
    """
  ]

  static func read(_ reader: inout StateReader) throws(StoreError) {
    try reader.database.rows("SELECT key, boot, epoch FROM clocks") { row in
      guard let key = row.integer(0), let boot = row.text(1), let epoch = row.integer(2) else { return }
      let clock = StoredClock(boot: boot, epoch: .nanoseconds(epoch))
      reader.clocks[key] = ClockMapping(of: clock, on: reader.clock, now: reader.now)
    }
  }

  /// Deletes the clocks to which no row refers.
  static func deleteUnused(in database: Database) throws(StoreError) {
    let used = try database.tables(referringTo: Self.table).map { "SELECT clock FROM \($0)" }
    try database.run("DELETE FROM clocks WHERE key NOT IN (\(used.joined(separator: " UNION ")))")
  }
}

/// The row of this boot's clock, and the wall clock's time at the boot when the row was made.
struct ClockStamp {
  let key: Int64
  private let epoch: Duration

  /// After a larger step of the wall clock, a new row is made.
  private static let tolerance: Duration = .milliseconds(10)

  init(of clock: BootClock, in database: Database) throws(StoreError) {
    self.epoch = clock.epoch()
    let (boot, epoch) = (clock.boot ?? "", self.epoch.wholeNanoseconds)
    try database.run("INSERT INTO clocks (boot, epoch) VALUES (?, ?) ON CONFLICT DO NOTHING", boot, epoch)
    let key = try database.integer("SELECT key FROM clocks WHERE boot = ? AND epoch = ?", boot, epoch)
    guard let key else { preconditionFailure("a clock that was just stored is not there") }
    self.key = key
  }

  /// Whether the wall clock was not stepped since.
  func isValid(for clock: BootClock) -> Bool {
    let step = clock.epoch() - self.epoch
    return max(step, .zero - step) < Self.tolerance
  }
}

/// Converts the moments of a row to this boot's clock.
struct ClockMapping {
  /// What to add to a moment of the row; zero if the row is of this boot.
  private let shift: Duration
  private let isOfThisBoot: Bool
  private let now: Instant

  /// - Parameters:
  ///   - clock: The row's.
  ///   - now: The present moment.
  init(of clock: StoredClock, on this: BootClock, now: Instant) {
    self.isOfThisBoot = clock.boot == this.boot
    self.shift = self.isOfThisBoot ? .zero : clock.epoch - this.epoch()
    self.now = now
  }

  /// Converts a moment of the past. One of this boot is limited to the present. One of an earlier boot can be placed
  /// only by the wall clock, and stays before this boot whatever that shows.
  func past(_ moment: Instant) -> Instant {
    min(moment + self.shift, self.isOfThisBoot ? self.now : .lastBeforeBoot)
  }

  /// Converts a moment that was in the future when it was stored.
  ///
  /// - Parameter limit: The longest time until it when it was set. Without the limit, a machine that boots with its
  ///   wall clock years back would never reach it.
  func future(_ moment: Instant, within limit: Duration?) -> Instant {
    let mapped = moment + self.shift
    guard !self.isOfThisBoot, let limit else { return mapped }
    return min(mapped, self.now + limit)
  }
}
