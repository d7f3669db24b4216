import PositionProtocol
public import Positioning

/// An element of a sequence of updates: a notification of the daemon, or a change of the connection to it.
///
/// In all of them the value is optional, and if it is absent `reason` says why. So a loop that only wants values
/// takes them with `if let` and ignores the rest.
protocol SubscriptionUpdate: Sendable {
  associatedtype Request: SubscribingRequest

  /// The update of a notification; `nil` if it is not for this sequence.
  init?(_ notification: any AddressedNotification)
  /// The connection is lost; the client connects again.
  static var disconnected: Self { get }
  /// The daemon denies it until permission is granted again.
  static var suspended: Self { get }
  /// The connection and the subscription are established again.
  static func reconnected(_ answer: Request.Result) -> Self
  /// The update for the first answer; `nil` if it would say nothing new.
  static func began(_ answer: Request.Result) -> Self?
  /// The update before the end, when the daemon ends the subscription; `nil` if there is none.
  static func ended(_ reason: EndReason) -> Self?

  /// The arrival of its fix at the daemon, if it has one.
  var arrival: Instant? { get }
  /// Whether its fix is older than the subscription.
  var isReplay: Bool { get }
  /// How many deliveries of the daemon it counts as.
  var deliveries: Int { get }
  /// The number of the event, if it has one.
  var eventID: Int? { get }
  /// The precision that it reveals; `nil`: nothing of the position.
  var reveals: Precision? { get }
  /// The previous update was dropped, because it was not taken in time.
  mutating func passOver(_ older: Self)
}

/// The defaults, for updates of which only the newest counts.
extension SubscriptionUpdate {
  var arrival: Instant? { nil }
  var isReplay: Bool { false }
  var deliveries: Int { 1 }
  var eventID: Int? { nil }
  var reveals: Precision? { nil }
  static func began(_ answer: Request.Result) -> Self? { nil }
  static func ended(_ reason: EndReason) -> Self? { nil }
  mutating func passOver(_ older: Self) {}
}

extension Authorization {
  /// Whether it does not allow what reveals this; `nil`: nothing of the position.
  func withholds(_ reveals: Precision?) -> Bool { reveals.map { !self.isGranted || $0 > self.precision } ?? false }
}

extension DeliveryReason {
  /// The connection to the daemon is lost. The client connects again; the program need not do anything.
  public static let disconnected = Self(rawValue: "disconnected")
  /// The connection to the daemon stands again, and updates continue.
  public static let reconnected = Self(rawValue: "reconnected")
  /// Permission was taken away while the connection was lost. `reconnected` follows once it is granted again.
  public static let suspended = Self(rawValue: "suspended")
}
