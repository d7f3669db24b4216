import Positioning

/// What a receiver has reported about a fix's horizontal error.
enum HorizontalError: Hashable, Sendable {
  /// The radii of 68 % and 95 %, in metres, by the formula of their source.
  case radii(_ radius68: Double, _ radius95: Double, AccuracySource)
  /// The receiver reports that it does not know. Then nothing may be assumed, other than without a report.
  case vague

  /// A round error with a known 68 % radius.
  static func round(_ radius68: Double, _ source: AccuracySource) -> HorizontalError {
    .radii(radius68, radius68 / Fix.ratio68To95, source)
  }

  var radius68: Double? {
    switch self {
    case .radii(let radius, _, _): radius
    case .vague: nil
    }
  }

  var source: AccuracySource {
    switch self {
    case .radii(_, _, let source): source
    case .vague: .vague
    }
  }

  /// The same error multiplied by a factor, with another source.
  func times(_ factor: Double, _ source: AccuracySource) -> HorizontalError {
    switch self {
    case .radii(let radius68, let radius95, _): .radii(radius68 * factor, radius95 * factor, source)
    case .vague: .vague
    }
  }
}

extension Fix {
  /// Sets the horizontal error.
  mutating func setError(_ error: HorizontalError) {
    self.accuracySource = error.source
    switch error {
    case .radii(let radius68, let radius95, _):
      self.horizontalAccuracy = radius68
      self.horizontalAccuracy95 = radius95
    case .vague:
      self.horizontalAccuracy = nil
      self.horizontalAccuracy95 = nil
    }
  }
}
