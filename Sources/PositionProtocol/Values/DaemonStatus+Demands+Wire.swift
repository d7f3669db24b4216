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
    Field.omissible(
      "clients", \.clients, .array(of: DaemonStatus.ClientDemand.codec), example: [DaemonStatus.ClientDemand.example],
      "Who asks for what, for those who may know; the decisive ones first, and no more than 64.")
    Field.count("omitted", \.omitted, example: 12, "How many more ask; absent where all are listed.")
  }
}

extension DaemonStatus.ClientDemand: WireObject {
  public static let wire = ObjectCodec<DaemonStatus.ClientDemand>(
    blank: DaemonStatus.ClientDemand(principal: Principal.wire.blank, what: "", demand: Demand.wire.blank)
  ) {
    Field.required("principal", \.principal, Principal.codec, example: Principal.example, "Who asks.")
    Field.required("what", \.what, .string, example: "position.subscribe", "What was asked.")
    Demand.wire.fields(within: \DaemonStatus.ClientDemand.demand)
    Field.flag("decisive", \.isDecisive, "True where the demand of all is as it is because of this one, else absent.")
  }
}
