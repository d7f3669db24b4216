public import JSONRPC
public import Positioning

/// Attaches to a durable name and delivers its events: those that wait, then each as it occurs.
public struct DurableAttachRequest: RequestType, WireObject, Hashable {
  public static let method = "durable.attach"
  public static let summary =
    "Attaches to a durable name and delivers its events: those that wait, then each as it occurs."
  public static let isAllowedInBatch = false
  public static let errors: [RPCError.Code] = .permission + [.notFound]

  /// The name.
  public var name: String
  /// Acknowledges the events up to this one first.
  public var sinceEvent: Int?

  public init(name: String, sinceEvent: Int? = nil) {
    self.name = name
    self.sinceEvent = sinceEvent
  }

  public static let wire = ObjectCodec<DurableAttachRequest>(blank: DurableAttachRequest(name: "")) {
    Field.required("name", \.name, .durableName, example: "tracker", "The name.")
    Field.optional(
      "sinceEvent", \.sinceEvent, .integer(minimum: 0), example: 1230,
      "Acknowledges the events up to this one first.")
  }

  public typealias Result = DurableInfo
  public static let result = ResultDescription(
    "durable", DurableInfo.wire.schema, "What is registered under the name.")
}

/// Acknowledges the events of a durable name up to one of them; they are not delivered again.
public struct DurableAcknowledgeRequest: RequestType, WireObject, Hashable {
  public static let method = "durable.acknowledge"
  public static let summary =
    "Acknowledges the events of a durable name up to one of them; they are not delivered again."
  public static let errors: [RPCError.Code] = [.notFound]

  /// The name.
  public var name: String
  /// The newest of the acknowledged events.
  public var event: Int

  public init(name: String, event: Int) {
    self.name = name
    self.event = event
  }

  public static let wire = ObjectCodec<DurableAcknowledgeRequest>(
    blank: DurableAcknowledgeRequest(name: "", event: 0)
  ) {
    Field.required("name", \.name, .durableName, example: "tracker", "The name.")
    Field.required("event", \.event, .integer(minimum: 0), example: 1234, "The newest of the acknowledged events.")
  }

  public typealias Result = DurableWaitingResult
  public static let result = ResultDescription(
    "waiting", DurableWaitingResult.wire.schema, "How many events still wait.")
}

/// Lists the user's durable names and what is registered under each.
public struct DurableListRequest: RequestType, WireObject, Hashable {
  public static let method = "durable.list"
  public static let summary = "Lists the user's durable names and what is registered under each."

  public init() {}

  public static let wire = ObjectCodec<DurableListRequest>(blank: DurableListRequest()) {}

  /// The user's durable names.
  public struct Result: WireObject, Hashable {
    /// In alphabetical order.
    public var names: [DurableInfo]

    public init(names: [DurableInfo]) {
      self.names = names
    }

    public static let wire = ObjectCodec<Result>(blank: Result(names: [])) {
      Field.required(
        "names", \.names, .array(of: DurableInfo.codec), example: [DurableInfo.example],
        "In alphabetical order.")
    }
  }

  public static let result = ResultDescription("result", Result.wire.schema, "The user's durable names.")
}

/// Removes a durable name with its registrations and waiting events.
public struct DurableRemoveRequest: RequestType, WireObject, Hashable {
  public static let method = "durable.remove"
  public static let summary = "Removes a durable name with its registrations and waiting events."
  public static let errors: [RPCError.Code] = [.notFound]

  /// The name.
  public var name: String

  public init(name: String) {
    self.name = name
  }

  public static let wire = ObjectCodec<DurableRemoveRequest>(blank: DurableRemoveRequest(name: "")) {
    Field.required("name", \.name, .durableName, example: "tracker", "The name.")
  }

  public typealias Result = DurableWaitingResult
  public static let result = ResultDescription(
    "waiting", DurableWaitingResult.wire.schema, "How many events were never acknowledged and are lost.")
}

/// How many events wait under a durable name.
public struct DurableWaitingResult: WireObject, Hashable {
  /// How many events wait to be acknowledged.
  public var waiting: Int

  public init(waiting: Int) {
    self.waiting = waiting
  }

  public static let wire = ObjectCodec<DurableWaitingResult>(
    "DurableWaitingResult", blank: DurableWaitingResult(waiting: 0)
  ) {
    Field.required("waiting", \.waiting, .integer(minimum: 0), example: 4, "How many events wait to be acknowledged.")
  }
}

/// The oldest events of a durable name were dropped, because nobody acknowledged them in time.
public struct DurableOverflowNotification: NotificationType, WireObject, Hashable {
  public static let method = "durable.overflow"
  public static let summary =
    "The oldest events of a durable name were dropped, because nobody acknowledged them in time."

  /// The name.
  public var durable: String
  /// How many were dropped since the last such notification.
  public var dropped: Int

  public init(durable: String, dropped: Int) {
    self.durable = durable
    self.dropped = dropped
  }

  public static let wire = ObjectCodec<DurableOverflowNotification>(
    blank: DurableOverflowNotification(durable: "", dropped: 0)
  ) {
    Field.required("durable", \.durable, .string, example: "tracker", "The name.")
    Field.required(
      "dropped", \.dropped, .integer(minimum: 1), example: 40,
      "How many were dropped since the last such notification.")
  }
}
