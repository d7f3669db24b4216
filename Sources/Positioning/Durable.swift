/// A durable name and what is registered under it.
public struct DurableInfo: Hashable, Sendable {
  public var name: String
  /// The systemd unit that an event starts if no client is attached.
  public var wake: String?
  /// The regions in the order in which they were added; only the first if there are many.
  public var regions: [RegionInfo]
  /// How many regions are not listed.
  public var regionsOmitted: Int
  /// The parameters of its position subscription; `nil` if it has none.
  public var position: SubscriptionParameters?
  /// Whether it has a subscription of visits.
  public var hasVisits: Bool
  /// How many events wait to be acknowledged.
  public var waiting: Int
  /// The number of the newest event; 0 before the first.
  public var lastEvent: UInt64
  /// Whether a client is attached.
  public var isAttached: Bool
  /// Why the unit could not be started the last time.
  public var wakeError: String?

  public init(
    name: String, wake: String? = nil, regions: [RegionInfo] = [], regionsOmitted: Int = 0,
    position: SubscriptionParameters? = nil, hasVisits: Bool = false, waiting: Int = 0, lastEvent: UInt64 = 0,
    isAttached: Bool = false, wakeError: String? = nil
  ) {
    self.name = name
    self.wake = wake
    self.regions = regions
    self.regionsOmitted = regionsOmitted
    self.position = position
    self.hasVisits = hasVisits
    self.waiting = waiting
    self.lastEvent = lastEvent
    self.isAttached = isAttached
    self.wakeError = wakeError
  }
}

/// A durable name, which makes a registration outlive its connection.
public struct DurableRequest: Hashable, Sendable {
  /// The name, without control characters; 1 to 64 bytes.
  public var name: String
  /// The systemd unit that an event starts if no client is attached; `nil`: none, or as it was.
  public var wake: String?

  public init(name: String, wake: String? = nil) {
    self.name = name
    self.wake = wake
  }

  /// Bytes of UTF-8.
  public static let nameLengths = 1...64

  /// Whether something can be registered under the name.
  package static func isValid(name: String) -> Bool {
    self.nameLengths.contains(name.utf8.count)
      && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}

/// An event of a durable registration.
public enum DurableContent: Hashable, Sendable {
  /// An event of a region.
  case region(RegionEvent)
  /// The device has come to a place, or left it.
  case visit(Visit)
  /// A delivery of the position registration.
  case position(PositionUpdate)
}

/// The units that an event may start: system services, by their full names.
package enum WakeUnit {
  private static let suffix = ".service"

  /// Whether systemd accepts this as the name of a service that can be started.
  ///
  /// An `@` is for an instance of a template, and needs text on both sides. It is not a path: units are found by name.
  package static func isValid(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard bytes.count <= UnitName.longest, bytes.ends(with: Self.suffix) else { return false }
    let stem = bytes.dropLast(Self.suffix.utf8.count)
    guard !stem.isEmpty, stem.allSatisfy({ UnitName.isAllowed($0) }) else { return false }
    guard let at = stem.firstIndex(of: UInt8(ascii: "@")) else { return true }
    return at != stem.startIndex && at + 1 != stem.endIndex
  }
}

/// What systemd takes for the name of a unit.
package enum UnitName {
  /// In bytes.
  package static let longest = 255

  /// Letters, digits and `:-_.\@` of ASCII.
  package static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "\\"),
      UInt8(ascii: "@"):
      true
    default: false
    }
  }
}

extension BidirectionalCollection<UInt8> {
  /// Bytes, not characters: a combining mark after the last letter makes another character of it.
  package func ends(with suffix: String) -> Bool { self.reversed().starts(with: suffix.utf8.reversed()) }
}
