import Broker

/// In a test a holder is a durable name of one user, or the client of a number.
extension Holder: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
  public init(stringLiteral name: String) { self = .durable(DurableID(uid: 1001, name: name)) }

  public init(integerLiteral number: UInt64) { self = .client(ClientID(number)) }
}
