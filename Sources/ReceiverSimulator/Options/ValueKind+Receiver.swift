import ProgramArguments

extension ValueKind where Value == Double {
  static func number(_ placeholder: String, in range: ClosedRange<Double>) -> ValueKind {
    ValueKind(placeholder: placeholder, expectation: "a number from \(range.lowerBound) to \(range.upperBound)") {
      Double($0).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ValueKind where Value == Int {
  static func whole(_ placeholder: String, in range: ClosedRange<Int>) -> ValueKind {
    ValueKind(placeholder: placeholder, expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)") {
      Int($0).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}

extension ValueKind where Value == UInt64 {
  static let seed = ValueKind(placeholder: "N", expectation: "a whole number from 0") { UInt64($0) }
}

extension ValueKind where Value == Duration {
  /// Not before the present time.
  static let time = ValueKind(placeholder: "TIME", expectation: "a duration from 0, such as 10s, 500ms, 5min or 2h") {
    (text) throws(UsageError) in
    let time = try Specification.duration(text, name: "TIME")
    return time >= .zero ? time : nil
  }

  static let seconds = ValueKind(placeholder: "N", expectation: "seconds from 0.1 to 31536000") { text in
    Double(text).flatMap { (0.1...31_536_000).contains($0) ? .seconds($0) : nil }
  }

  /// The number of epochs in a second, converted to the time between two.
  static let epochsPerSecond = ValueKind(
    placeholder: "HZ",
    expectation: "epochs a second that fall on round times: 0.1, 0.2, 0.5, 1, 2, 4, 5, 8, 10, 20 or 25"
  ) { text in
    guard let rate = Double(text), (0.1...25).contains(rate) else { return nil }
    let milliseconds = (1000 / rate).rounded()
    // The period must divide a second, or a minute if it is longer than a second.
    let frame = milliseconds <= 1000 ? 1000.0 : 60_000.0
    guard abs(1000 / rate - milliseconds) < 1e-6, frame.truncatingRemainder(dividingBy: milliseconds) == 0 else {
      return nil
    }
    return .milliseconds(Int64(milliseconds))
  }
}

extension ValueKind where Value == TimeToFirstFix {
  static let startTimes = ValueKind(
    placeholder: "HOT,WARM,COLD", expectation: "three numbers of seconds from 0 to 86400: HOT,WARM,COLD"
  ) { text in
    let times = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? -1 }
    guard times.count == 3, times.allSatisfy((0...86_400).contains) else { return nil }
    return TimeToFirstFix(hot: .seconds(times[0]), warm: .seconds(times[1]), cold: .seconds(times[2]))
  }
}

extension ValueKind where Value == Fault {
  static let fault = ValueKind(placeholder: "FAULT", expectation: Fault.forms) { (text) throws(UsageError) in
    try Fault(parsing: text)
  }
}

extension ValueKind where Value == Sandbox.ConfigurationLine {
  static let configurationLine = ValueKind(
    placeholder: "SECTION.KEY=VALUE", expectation: "SECTION.KEY=VALUE, such as fix.max-speed=100"
  ) { Sandbox.ConfigurationLine($0) }
}
