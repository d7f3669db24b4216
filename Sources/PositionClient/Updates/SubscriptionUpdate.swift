public import PositionProtocol
import Positioning

/// What a sequence of updates consists of: what the daemon told, or what became of the connection to it.
///
/// All are alike: what was told is optional, and where it is absent `reason` says why. So a loop that only wants what
/// is told takes it with `if let`, and passes over the rest without knowing of it.
protocol SubscriptionUpdate: Sendable {
  associatedtype Request: SubscribingRequest

  /// What the daemon told; `nil` where that is nothing for this sequence.
  init?(_ notification: any AddressedNotification)
  /// The connection is lost, and sought again.
  static var disconnected: Self { get }
  /// The daemon refuses it until there is permission again.
  static var suspended: Self { get }
  /// The connection stands again, and so does the subscription.
  static func reconnected(_ answer: Request.Result) -> Self
  /// It stands for the first time, where that is told as an update; `nil` where what follows says it all.
  static func began(_ answer: Request.Result) -> Self?
  /// The daemon ended it, where that is told as an update before the end; `nil` where the end says it all.
  static func ended(_ reason: EndReason) -> Self?

  /// When the fix in it arrived at the daemon, where there is one.
  var arrival: Instant? { get }
  /// Whether it was there before the subscription.
  var isReplay: Bool { get }
  /// For how many deliveries of the daemon it stands.
  var deliveries: Int { get }
  /// The number of the event, where it has one.
  var eventID: Int? { get }
  /// The one before was passed over, because it was not taken in time.
  mutating func passOver(_ older: Self)
}

/// What holds where the newest is all that counts.
extension SubscriptionUpdate {
  var arrival: Instant? { nil }
  var isReplay: Bool { false }
  var deliveries: Int { 1 }
  var eventID: Int? { nil }
  static func began(_ answer: Request.Result) -> Self? { nil }
  static func ended(_ reason: EndReason) -> Self? { nil }
  mutating func passOver(_ older: Self) {}
}

extension DeliveryReason {
  /// The connection to the daemon is lost. The client seeks it again; nothing need be done.
  public static let disconnected = Self(rawValue: "disconnected")
  /// The connection to the daemon stands again, and what was subscribed to is told again.
  public static let reconnected = Self(rawValue: "reconnected")
  /// Permission was taken away while the connection was lost. Once it is given again there follows `reconnected`.
  public static let suspended = Self(rawValue: "suspended")
}
