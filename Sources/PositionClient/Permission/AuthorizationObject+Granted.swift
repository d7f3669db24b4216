public import PositionProtocol

extension AuthorizationObject {
  /// Whether the client may know the position, at least while it is connected.
  public var isGranted: Bool { self.state == .whenInUse || self.state == .always }

  /// Whether both the level and the precision are granted.
  public func covers(level: Level, precision: Precision) -> Bool {
    switch level {
    case .whenInUse: guard self.isGranted else { return false }
    case .always: guard self.state == .always else { return false }
    }
    return precision == .reduced || self.precision == .precise
  }
}
