import Positioning

@testable import Broker

/// A device that moves north from the start at a speed, a fix each second while the receiver is on.
struct Journey {
  /// Metres per degree of latitude at 50 degrees north.
  static let metersPerDegree = 111_229.0

  var daemon: VirtualDaemon
  private(set) var meters = 0.0

  init(_ daemon: VirtualDaemon = VirtualDaemon()) { self.daemon = daemon }

  /// - Parameter seconds: after boot.
  init(at seconds: Double) { self.daemon = VirtualDaemon(at: seconds) }

  /// Advances the time at a speed, in metres per second.
  @discardableResult
  mutating func go(seconds: Int, speed: Double, accuracy: Double? = 4, hasSky: Bool = true) -> [Action] {
    var actions: [Action] = []
    for _ in 0..<seconds {
      actions += self.daemon.advance(by: 1)
      self.meters += speed
      guard self.daemon.isReceiverOn, hasSky else { continue }
      actions += self.daemon.fix(
        accuracy: accuracy, latitude: 50 + self.meters / Self.metersPerDegree, speed: speed)
    }
    return actions
  }

  /// The distance of a fix north of the start, in metres.
  static func meters(_ fix: Fix) -> Double { (fix.latitude - 50) * Self.metersPerDegree }
}
