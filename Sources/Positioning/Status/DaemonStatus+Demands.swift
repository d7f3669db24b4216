extension DaemonStatus {
  /// What the receiver is needed for, and by whom: the answer to "who keeps the receiver on?".
  public struct Demands: Hashable, Sendable {
    /// The finest accuracy and the shortest interval of all who ask.
    public var merged: Demand
    /// Who asks for what, for those who may know; the decisive ones first, and no more than 64.
    public var clients: [ClientDemand]
    /// How many more ask, beyond those or beyond what the client may know.
    public var omitted: Int

    public init(_ merged: Demand, clients: [ClientDemand] = [], omitted: Int = 0) {
      self.merged = merged
      self.clients = clients
      self.omitted = omitted
    }
  }

  /// One request or subscription that needs the receiver.
  public struct ClientDemand: Hashable, Sendable {
    /// Who asks.
    public var principal: Principal
    /// What was asked.
    public var what: String
    public var demand: Demand
    /// Whether the merged demand is as it is because of this one.
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
