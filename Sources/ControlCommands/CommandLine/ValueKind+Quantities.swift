import PositionProtocol
import ProgramArguments

extension ValueKind where Value == Double {
  static let meters = ValueKind(placeholder: "METRES", expectation: "metres greater than 0, such as 25 or 1.5km") {
    Quantity.meters($0).flatMap { $0 > 0 ? $0 : nil }
  }

  static let distance = ValueKind(placeholder: "METRES", expectation: "metres, such as 25 or 1.5km") {
    Quantity.meters($0)
  }

  /// Between two directions, the shorter way around the circle.
  static let turn = ValueKind(placeholder: "DEGREES", expectation: "degrees from 0 to 180, such as 5") { text in
    Quantity.degrees(text).flatMap { $0 <= 180 ? $0 : nil }
  }
}

extension ValueKind where Value == Duration {
  static let seconds = ValueKind(placeholder: "SECONDS", expectation: "seconds, such as 30 or 5min") {
    Quantity.seconds($0).map { Duration(wireSeconds: $0) }
  }

  /// What comes again or ends something; the daemon takes no less.
  static let period = ValueKind(placeholder: "SECONDS", expectation: "seconds from 0.1, such as 30 or 5min") {
    Quantity.seconds($0).flatMap { $0 >= 0.1 ? Duration(wireSeconds: $0) : nil }
  }
}

extension ValueKind where Value == Int {
  static let count = ValueKind(placeholder: "COUNT", expectation: "a whole number from 1") { text in
    Int(text).flatMap { $0 >= 1 ? $0 : nil }
  }
}
