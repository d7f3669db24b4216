/// A moment on the clock that counts since boot and goes on while the machine sleeps (`CLOCK_BOOTTIME`).
///
/// Ages and deadlines are measured on it alone: suspend counts as age, and a stepped wall clock changes nothing.
public struct Instant: Hashable, Comparable, Sendable {
  /// The time since boot, suspend included.
  public var sinceBoot: Duration

  public init(sinceBoot: Duration) {
    self.sinceBoot = sinceBoot
  }

  /// Whether it lies before this boot: how long ago it was is unknown.
  ///
  /// The wall clock alone joins two boots, and on a device without a battery it stands still while the power is off. Its
  /// place before zero is an estimate, good enough to show; nothing is decided by its age.
  public var isBeforeBoot: Bool { self.sinceBoot < .zero }

  /// The boot.
  public static let boot = Instant(sinceBoot: .zero)

  /// The last moment before this boot: what an earlier boot's moments are no later than.
  public static let lastBeforeBoot = Instant(sinceBoot: .nanoseconds(-1))

  public static func < (left: Instant, right: Instant) -> Bool {
    left.sinceBoot < right.sinceBoot
  }

  public static func + (instant: Instant, duration: Duration) -> Instant {
    Instant(sinceBoot: instant.sinceBoot + duration)
  }

  public static func - (instant: Instant, duration: Duration) -> Instant {
    Instant(sinceBoot: instant.sinceBoot - duration)
  }

  public static func - (later: Instant, earlier: Instant) -> Duration {
    later.sinceBoot - earlier.sinceBoot
  }
}

extension Duration {
  /// The duration in seconds, as the wire and the field's formulae have it.
  public var seconds: Double { self / .seconds(1) }
}
