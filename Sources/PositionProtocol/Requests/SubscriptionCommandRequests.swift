public import JSONRPC
public import Positioning

/// A command for a subscription of the connection or of a durable name.
public protocol SubscriptionCommandRequest: RequestType, WireObject, Hashable where Result == SubscriptionResult {
  static var command: SubscriptionCommand { get }
  var target: SubscriptionTarget { get set }

  init(_ target: SubscriptionTarget)
}

extension SubscriptionCommandRequest {
  public static var method: String { "subscription.\(self.command.rawValue)" }

  public static var result: ResultDescription {
    ResultDescription("subscription", SubscriptionResult.wire.schema, "The state of the subscription.")
  }

  public static var errors: [RPCError.Code] { self.command == .acquire ? .permission + [.notFound] : [.notFound] }
  public static var usual: Set<String> { ["subscription"] }

  fileprivate static func table(
    _ target: any WritableKeyPath<Self, SubscriptionTarget> & Sendable
  ) -> ObjectCodec<Self> {
    ObjectCodec<Self>(
      blank: Self(SubscriptionTarget.wire.blank), { SubscriptionTarget.wire.fields(within: target) },
      check: { (_: inout Self, view: JSONView) throws(CodingFailure) in try SubscriptionTarget.check(view) })
  }
}

/// Pauses a position subscription and its need of the receiver until it is resumed.
public struct SubscriptionPauseRequest: SubscriptionCommandRequest {
  public static let command = SubscriptionCommand.pause
  public static let summary = "Pauses a position subscription and its need of the receiver until it is resumed."
  public static let wire = Self.table(\.target)

  public var target: SubscriptionTarget

  public init(_ target: SubscriptionTarget) { self.target = target }
}

/// Resumes a paused subscription.
public struct SubscriptionResumeRequest: SubscriptionCommandRequest {
  public static let command = SubscriptionCommand.resume
  public static let summary = "Resumes a paused subscription."
  public static let wire = Self.table(\.target)

  public var target: SubscriptionTarget

  public init(_ target: SubscriptionTarget) { self.target = target }
}

/// Makes a position subscription search for a fix now, in any mode.
public struct SubscriptionAcquireRequest: SubscriptionCommandRequest {
  public static let command = SubscriptionCommand.acquire
  public static let summary = "Makes a position subscription search for a fix now, in any mode."
  public static let wire = Self.table(\.target)

  public var target: SubscriptionTarget

  public init(_ target: SubscriptionTarget) { self.target = target }
}

/// Makes a deferred subscription deliver what it has collected.
public struct SubscriptionFlushRequest: SubscriptionCommandRequest {
  public static let command = SubscriptionCommand.flush
  public static let summary = "Makes a deferred subscription deliver what it has collected."
  public static let wire = Self.table(\.target)

  public var target: SubscriptionTarget

  public init(_ target: SubscriptionTarget) { self.target = target }
}
