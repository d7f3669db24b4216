import JSONRPC
public import Positioning

extension Schema.NumberRange {
  static let any = Self(.none)
  static let nonNegative = Self(.from(0))
  static let share = Self(.from(0), maximum: 1)
  static let latitude = Self(.from(-90), maximum: 90, unit: "degrees")
  static let longitude = Self(.from(-180), maximum: 180, unit: "degrees")
  /// A radius.
  static let meters = Self(.above(0), unit: "metres")
  static let distance = Self(.from(0), unit: "metres")
  /// Clockwise from north.
  static let direction = Self(.from(0), maximum: 360, unit: "degrees")
  /// Between two directions, the shorter way around the circle.
  static let turn = Self(.from(0), maximum: 180, unit: "degrees")
  /// At most about 31 years, so that no sum of times overflows.
  static let seconds = Self(.from(0), maximum: 1e9, unit: "seconds")
  /// Seconds until something repeats or ends: a shorter time would be of no use and costs other clients.
  static let heartbeat = Self(.from(0.1), maximum: 1e9, unit: "seconds")
}

extension Double {
  /// Rounded to so many decimals, so that no 17 digits of noise go over the wire.
  func rounded(decimals: Int) -> Double {
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (self * scale).rounded()
    // Where the scaled number has no fraction left to round, the number is as plain as it gets.
    // Adding zero makes a plain 0 of -0.
    return scaled.magnitude < 1e15 ? scaled / scale + 0 : self
  }

  /// Millimetres, milliseconds, thousandths of a degree.
  package var toThousandths: Double { self.rounded(decimals: 3) }
}

extension Duration {
  /// Seconds on the wire, to the millisecond. A shorter time than a millisecond, but not 0, becomes one: a time of 0
  /// often has another meaning, such as no limit at all.
  public var wireSeconds: Double { Double(self.wireMilliseconds) / 1000 }

  var wireMilliseconds: Int64 {
    let rounded = self.nearestMilliseconds
    return rounded == 0 && self > .zero ? 1 : rounded
  }

  /// So many seconds of the wire, bounded; less than a millisecond, but not 0, becomes a millisecond.
  package init(wireSeconds seconds: Double) {
    let bounded = Duration.milliseconds(Int64((Duration.bounded(seconds: seconds).seconds * 1000).rounded()))
    self = seconds > 0 ? max(bounded, .milliseconds(1)) : bounded
  }
}

extension Instant {
  /// Seconds on `CLOCK_BOOTTIME` as the wire has them, cut to the millisecond.
  public var wireSeconds: Double { Double(self.wireMilliseconds) / 1000 }

  var wireMilliseconds: Int64 { max(0, self.sinceBoot.wholeMilliseconds) }

  init(wireSeconds seconds: Double) {
    self.init(sinceBoot: .milliseconds(Duration.bounded(seconds: seconds).nearestMilliseconds))
  }
}
