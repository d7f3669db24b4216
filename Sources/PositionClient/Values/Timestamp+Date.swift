public import FoundationEssentials
public import Positioning

extension Timestamp {
  /// - Parameter date: Rounded to the nearest millisecond.
  public init(_ date: Date) {
    self.init(seconds: date.timeIntervalSince1970)
  }

  /// The moment for Foundation.
  public var date: Date { Date(timeIntervalSince1970: self.seconds) }
}
