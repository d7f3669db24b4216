import JSONRPC

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
