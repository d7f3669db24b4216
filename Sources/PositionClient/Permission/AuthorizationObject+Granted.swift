public import PositionProtocol

extension AuthorizationObject {
  /// Whether the position may be known, while connected at least.
  public var isGranted: Bool { self.state == .whenInUse || self.state == .always }

  /// Whether all of this is granted.
  public func covers(level: Level, precision: Precision) -> Bool {
    switch level {
    case .whenInUse: guard self.isGranted else { return false }
    case .always: guard self.state == .always else { return false }
    }
    return precision == .reduced || self.precision == .precise
  }
}
