import PositionProtocol
import Positioning
import Printable

/// How the screen writes quantities: the one place that knows units and notations.
enum Measures {
  static func place(_ fix: Fix) -> String { FixFormat.place(fix) }
  static func accuracy(_ meters: Double) -> String { "±\(meters.short) m" }
  static func distance(_ meters: Double) -> String { Distance.words(meters) }
  static func altitude(_ meters: Double) -> String { "\(meters.fixed(0)) m" }
  static func speed(_ metersPerSecond: Double) -> String { "\(metersPerSecond.fixed(1)) m/s" }
}
