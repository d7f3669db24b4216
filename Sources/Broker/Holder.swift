/// The holder of subscriptions and regions: a client while it is connected, or a durable name, which outlives its
/// clients.
package enum Holder: Hashable, Comparable, Sendable {
  case client(ClientID)
  case durable(DurableID)

  /// `nil` for a durable name.
  package var client: ClientID? {
    if case .client(let id) = self { id } else { nil }
  }

  /// `nil` for a client.
  package var durable: DurableID? {
    if case .durable(let id) = self { id } else { nil }
  }
}
