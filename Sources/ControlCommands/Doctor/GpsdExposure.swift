import EventLoop
import Glibc
import Gpsd

/// Whether other users than positiond's can use gpsd, found out by an attempt.
struct GpsdExposure: Hashable {
  /// The user of the attempt: a name, or a number without one.
  var user: String
  /// The result for that user.
  var finding: GpsdFinding
  /// Whether root made the attempt as another user.
  var isTriedByRoot: Bool

  /// Root makes the attempt as the user nobody, with a socket that belongs to that user, since packet filters decide by
  /// the socket's owner. Another user's own probe is the attempt.
  static func tried(
    on loop: EventLoop, _ address: GpsdAddress, own finding: GpsdFinding, patience: Duration
  ) -> GpsdExposure {
    guard geteuid() == 0 else { return GpsdExposure(user: self.ownName, finding: finding, isTriedByRoot: false) }
    // If root is refused, so is every user.
    let found = finding.isReached ? address.probe(on: loop, as: self.nobody, patience: patience) : finding
    return GpsdExposure(user: "nobody", finding: found, isTriedByRoot: true)
  }

  /// Linux's number for the user nobody.
  private static let nobody: UInt32 = 65_534

  private static var ownName: String {
    if case .found(let name) = AccountLookup.userName(of: geteuid()) { name } else { "uid \(geteuid())" }
  }
}
