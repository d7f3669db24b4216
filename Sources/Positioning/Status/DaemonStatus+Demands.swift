extension DaemonStatus {
  /// What the receiver is needed for, and by whom: the answer to "who keeps the receiver on?".
  public struct Demands: Hashable, Sendable {
    /// The finest accuracy and the shortest interval of all requests.
    public var merged: Demand
    /// The requests, if the client may know them; decisive ones first, at most 64.
    public var clients: [ClientDemand]
    /// How many more requests there are, not listed or not for the client to know.
    public var omitted: Int

    public init(_ merged: Demand, clients: [ClientDemand] = [], omitted: Int = 0) {
      self.merged = merged
      self.clients = clients
      self.omitted = omitted
    }
  }

  /// One request or subscription that needs the receiver.
  public struct ClientDemand: Hashable, Sendable {
    /// The client.
    public var principal: Principal
    /// The method.
    public var what: String
    public var demand: Demand
    /// Whether this request determines the demand.
    public var isDecisive: Bool

    public init(principal: Principal, what: String, demand: Demand, isDecisive: Bool = false) {
      self.principal = principal
      self.what = what
      self.demand = demand
      self.isDecisive = isDecisive
    }
  }

  /// The most needs that are listed: every client may ask for the status, and every client may have hundreds.
  package static let maximumDemands = 64
}
