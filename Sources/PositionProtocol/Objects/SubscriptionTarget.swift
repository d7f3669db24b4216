import JSONRPC

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
