public import JSONRPC
public import Positioning

/// On the wire a level is its name, and metres are a number.
extension AccuracyDemand: WireValue {
  public static var codec: Codec<AccuracyDemand> {
    .either(
      AccuracyLevel.codec.map(
        to: { (level: AccuracyLevel) in .level(level) }, from: { (demand: AccuracyDemand) in demand.level }),
      or: Codec<Double>.number(.meters).map(
        to: { (meters: Double) in .meters(meters) }, from: { (demand: AccuracyDemand) in demand.meters }),
      isFirst: { if case .level = $0 { true } else { false } })
  }
}
