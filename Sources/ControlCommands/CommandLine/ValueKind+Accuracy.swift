import Positioning
import ProgramArguments

extension ValueKind where Value == AccuracyDemand {
  static let accuracy = ValueKind(
    placeholder: "LEVEL|METRES",
    expectation: "one of \(AccuracyLevel.names.joined(separator: ", ")), or metres such as 25 or 25m",
    names: AccuracyLevel.names
  ) { text in
    if let level = AccuracyLevel(rawValue: text) { return .level(level) }
    return Quantity.meters(text).flatMap { $0 > 0 ? .meters($0) : nil }
  }
}

extension AccuracyLevel {
  fileprivate static var names: [String] { self.allCases.map(\.rawValue) }
}
