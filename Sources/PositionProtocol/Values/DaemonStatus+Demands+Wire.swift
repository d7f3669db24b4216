public import JSONRPC
public import Positioning

extension Demand: WireObject {
  public static let wire = ObjectCodec<Demand>(blank: Demand(accuracy: 0, interval: .zero, activity: .fallback)) {
    Field.required("accuracy", \.accuracy, .number(.meters), example: 15, "Metres.")
    Field.required("interval", \.interval, .seconds(), example: 1, "Seconds between two fixes.")
    Field.required("activity", \.activity, Activity.codec, example: "automotive", "What moves the device.")
  }
}

extension DaemonStatus.Demands: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.Demands>(blank: DaemonStatus.Demands(Demand.wire.blank)) {
    Demand.wire.fields(within: \DaemonStatus.Demands.merged)
    Field.defaulted(
      "clients", \.clients, .array(of: DaemonStatus.ClientDemand.codec), namesDefault: false,
      example: [DaemonStatus.ClientDemand.example],
      "The requests, if the client may know them; decisive ones first, at most 64.")
    Field.count("omitted", \.omitted, example: 12, "How many requests are not listed; absent if all are.")
  }
}

extension DaemonStatus.ClientDemand: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.ClientDemand>(
    blank: DaemonStatus.ClientDemand(principal: Principal.wire.blank, what: "", demand: Demand.wire.blank)
  ) {
    Field.required("principal", \.principal, Principal.codec, example: Principal.example, "The client.")
    Field.required("what", \.what, .string, example: "position.subscribe", "The method.")
    Demand.wire.fields(within: \DaemonStatus.ClientDemand.demand)
    Field.flag("decisive", \.isDecisive, "True if this request determines the demand; else absent.")
  }
}
