import Positioning

/// What a receiver has told of a fix's horizontal error.
enum HorizontalError: Hashable, Sendable {
  /// The radii that hold 68 % and 95 % of it, in metres, by the law of their own source.
  case radii(_ radius68: Double, _ radius95: Double, AccuracySource)
  /// The receiver says that it does not know. That is not the same as saying nothing: nothing may be assumed then.
  case vague

  /// A round error, of which the radius of 68 % is known.
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

  /// The same, so many times as large and from another source.
  func times(_ factor: Double, _ source: AccuracySource) -> HorizontalError {
    switch self {
    case .radii(let radius68, let radius95, _): .radii(radius68 * factor, radius95 * factor, source)
    case .vague: .vague
    }
  }
}

extension Fix {
  /// Takes over what is known of the horizontal error.
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
