import EventLoop
import Glibc
import Gpsd

/// Whether other users than positiond's can use gpsd, found out by trying.
struct GpsdExposure: Hashable {
  /// The user that tried: a name, or a number without one.
  var user: String
  /// What that user found.
  var finding: GpsdFinding
  /// Whether root tried it as another user.
  var isTriedByRoot: Bool

  /// Root tries it as the user nobody, with a socket that belongs to that user, by which packet filters decide. Other
  /// users have already tried, with their own probe.
  static func tried(
    on loop: EventLoop, _ address: GpsdAddress, own finding: GpsdFinding, patience: Duration
  ) -> GpsdExposure {
    guard geteuid() == 0 else { return GpsdExposure(user: self.ownName, finding: finding, isTriedByRoot: false) }
    // If root is refused, so is every user.
    let found = finding.isReached ? address.probe(on: loop, as: self.nobody, patience: patience) : finding
    return GpsdExposure(user: "nobody", finding: found, isTriedByRoot: true)
  }

  /// Linux's number of the user nobody.
  private static let nobody: UInt32 = 65_534

  private static var ownName: String {
    if case .found(let name) = AccountLookup.userName(of: geteuid()) { name } else { "uid \(geteuid())" }
  }
}
