public import JSONRPC
public import Positioning

/// Changes a subscription's parameters; absent ones stay the same, null resets one to its default.
public struct SubscriptionUpdateRequest: RequestType, WireObject, Hashable {
  public static let method = "subscription.update"
  public static let summary =
    "Changes a subscription's parameters; absent ones stay the same, null resets one to its default."
  public static let errors: [RPCError.Code] = [.notFound]
  public static let usual: Set<String> = ["minDistance", "subscription"]

  /// The subscription's number on this connection.
  public var subscription: Int
  public var change: SubscriptionChange

  public init(subscription: Int, _ change: SubscriptionChange = SubscriptionChange()) {
    self.subscription = subscription
    self.change = change
  }

  public static let wire = ObjectCodec<SubscriptionUpdateRequest>(blank: SubscriptionUpdateRequest(subscription: 0)) {
    Field.required(
      "subscription", \.subscription, .integer(minimum: 1), example: 1, "The subscription's number on this connection.")
    SubscriptionChange.wire.fields(within: \SubscriptionUpdateRequest.change)
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "The state of the subscription.")
}

/// Ends a subscription.
public struct SubscriptionCancelRequest: RequestType, WireObject, Hashable {
  public static let method = "subscription.cancel"
  public static let summary = "Ends a subscription."
  public static let errors: [RPCError.Code] = [.notFound]
  public static let usual: Set<String> = ["subscription"]

  /// The subscription's number on this connection.
  public var subscription: Int

  public init(subscription: Int) {
    self.subscription = subscription
  }

  public static let wire = ObjectCodec<SubscriptionCancelRequest>(blank: SubscriptionCancelRequest(subscription: 0)) {
    Field.required(
      "subscription", \.subscription, .integer(minimum: 1), example: 1, "The subscription's number on this connection.")
  }

  public typealias Result = SubscriptionResult
  public static let result = ResultDescription(
    "subscription", SubscriptionResult.wire.schema, "The state of the subscription: ended.")
}

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

/// Which subscription a command is for.
public enum SubscriptionTarget: Hashable, Sendable {
  /// One of this connection, by its number.
  case subscription(Int)
  /// The position registration of a durable name.
  case durable(String)
}

extension SubscriptionTarget {
  static let wire = ObjectCodec<SubscriptionTarget>(blank: .subscription(0)) {
    Field.optional(
      "subscription", \.number, .integer(minimum: 1), example: 1, "The subscription's number; either this or `durable`."
    )
    Field.optional(
      "durable", \.name, .durableReference, example: ["name": "tracker"],
      "The durable name with the position registration.")
  }

  /// Exactly one of the two is set.
  static func check(_ view: JSONView) throws(CodingFailure) {
    switch (view.has("subscription"), view.has("durable")) {
    case (true, false), (false, true): break
    case (false, false): throw .found("missing", expected: "subscription or durable", at: "subscription")
    case (true, true): throw .found("set beside subscription", expected: "one of them", at: "durable")
    }
  }

  fileprivate var number: Int? {
    get { if case .subscription(let number) = self { number } else { nil } }
    set { if let newValue { self = .subscription(newValue) } }
  }

  private var name: String? {
    get { if case .durable(let name) = self { name } else { nil } }
    set { if let newValue { self = .durable(newValue) } }
  }
}

extension JSONView {
  /// Whether the object has the member; null counts as absent.
  func has(_ member: String) -> Bool { self[member].map { !$0.isNull } ?? false }
}

/// Lists the subscriptions of this connection.
public struct SubscriptionListRequest: RequestType, WireObject, Hashable {
  public static let method = "subscription.list"
  public static let summary = "Lists the subscriptions of this connection."

  public init() {}

  public static let wire = ObjectCodec<SubscriptionListRequest>(blank: SubscriptionListRequest()) {}

  /// The subscriptions of this connection.
  public struct Result: WireObject, Hashable {
    /// In the order of their numbers.
    public var subscriptions: [SubscriptionInfo]

    public init(subscriptions: [SubscriptionInfo]) {
      self.subscriptions = subscriptions
    }

    public static let wire = ObjectCodec<Result>(blank: Result(subscriptions: [])) {
      Field.required(
        "subscriptions", \.subscriptions, .array(of: SubscriptionInfo.codec), example: [SubscriptionInfo.example],
        "In the order of their numbers.")
    }
  }

  public static let result = ResultDescription(
    "result", Result.wire.schema, "The subscriptions of this connection.")
}

/// The state of a subscription, as the result of creating or changing it.
public struct SubscriptionResult: WireObject, Hashable {
  /// The subscription's number on this connection; absent for a durable one.
  public var subscription: Int?
  /// The durable name to which it belongs.
  public var durable: String?
  /// Its state.
  public var state: SubscriptionState
  /// Why there is or is not a fresh fix.
  public var availability: Availability

  private init(state: SubscriptionState, availability: Availability) {
    self.state = state
    self.availability = availability
  }

  public init(subscription: Int, state: SubscriptionState, availability: Availability) {
    self.subscription = subscription
    self.state = state
    self.availability = availability
  }

  public init(durable: String, state: SubscriptionState, availability: Availability) {
    self.durable = durable
    self.state = state
    self.availability = availability
  }

  public static let wire = ObjectCodec<SubscriptionResult>(
    "SubscriptionResult", blank: SubscriptionResult(state: .fallback, availability: .fallback)
  ) {
    UpdateSource.subscription(\.subscription)
    UpdateSource.durable(\.durable)
    Field.required("state", \.state, SubscriptionState.codec, example: "waiting", "Its state.")
    Field.required(
      "availability", \.availability, Availability.codec, example: "searching",
      "Why there is or is not a fresh fix.")
  }
}

/// A subscription, or the attachment to a durable name, has ended; nothing more is delivered for it.
public struct SubscriptionEndedNotification: NotificationType, WireObject, Hashable {
  public static let method = "subscription.ended"
  public static let summary =
    "A subscription, or the attachment to a durable name, has ended; nothing more is delivered for it."

  /// The subscription's number; absent if the attachment to a durable name ended.
  public var subscription: Int?
  /// The durable name to which the connection is no longer attached.
  public var durable: String?
  /// Why.
  public var reason: EndReason

  private init(reason: EndReason) { self.reason = reason }

  public init(subscription: Int, reason: EndReason) {
    self.subscription = subscription
    self.reason = reason
  }

  public init(durable: String, reason: EndReason) {
    self.durable = durable
    self.reason = reason
  }

  public static let wire = ObjectCodec<SubscriptionEndedNotification>(
    blank: SubscriptionEndedNotification(reason: EndReason(rawValue: ""))
  ) {
    Field.optional(
      "subscription", \.subscription, .integer(minimum: 1), example: 1,
      "The subscription's number; absent if the attachment to a durable name ended.")
    Field.optional(
      "durable", \.durable, .string, example: "tracker",
      "The durable name to which the connection is no longer attached.")
    Field.required("reason", \.reason, EndReason.codec, example: "expired", "Why.")
  }
}
