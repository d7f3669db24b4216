import ProgramArguments

/// Reads the numbers in a specification, with errors that name the part.
enum Specification {
  /// A finite number within `range`.
  static func number(
    _ text: some StringProtocol, name: String, in range: ClosedRange<Double>, of whole: String
  ) throws(UsageError) -> Double {
    guard let number = Double(String(text)), number.isFinite else {
      throw UsageError("\(whole): \(name) is \"\(text)\", not a number")
    }
    guard range.contains(number) else {
      throw UsageError(
        "\(whole): \(name) is \(text), outside \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A duration: `10`, `10s`, `500ms`, `5min`, `2h`.
  ///
  /// - Parameter whole: The specification that it is part of; empty if it is alone.
  static func duration(
    _ text: some StringProtocol, name: String, of whole: String? = nil
  ) throws(UsageError) -> Duration {
    let units: [(suffix: String, seconds: Double)] = [
      ("ms", 0.001), ("min", 60), ("weeks", 604_800), ("s", 1), ("h", 3600), ("", 1),
    ]
    for unit in units where text.hasSuffix(unit.suffix) {
      guard let number = Double(String(text.dropLast(unit.suffix.count))), number.isFinite, abs(number) < 1e9 else {
        continue
      }
      return .milliseconds(Int64((number * unit.seconds * 1000).rounded()))
    }
    let place = whole.map { "\($0): " } ?? ""
    throw UsageError("\(place)\(name) is \"\(text)\"; expected a duration such as 10s, 500ms, 5min or 2h")
  }
}
