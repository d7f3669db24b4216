import PositionProtocol
import ProgramArguments

extension ValueKind where Value == Duration {
  /// An interval or a duration, with the daemon's minimum.
  static let period = ValueKind(placeholder: "SECONDS", expectation: "seconds from 0.1, such as 30 or 5min") {
    Quantity.seconds($0).flatMap { $0 >= 0.1 ? Duration(wireSeconds: $0) : nil }
  }
}

extension ValueKind where Value == Int {
  static let count = ValueKind(placeholder: "COUNT", expectation: "a whole number from 1") { text in
    Int(text).flatMap { $0 >= 1 ? $0 : nil }
  }
}
