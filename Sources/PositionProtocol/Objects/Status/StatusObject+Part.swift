extension StatusObject {
  /// What changes apart from the rest, as a status update names it.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    case receiver, power, gpsd, demand, lastError
    /// The numbers of clients, requests and subscriptions.
    case clients
    /// Who is being given positions.
    case inUse
  }
}
