import EventLoop
import Glibc

/// Whether somebody else than positiond can ask gpsd itself, found out by trying.
struct GpsdDoor: Hashable {
  /// As whom it was tried: a user's name, or the number of one who has none.
  var user: String
  /// What such a one finds there.
  var finding: GpsdFinding
  /// Whether it was tried by root as somebody else.
  var isTriedByRoot: Bool

  /// Root tries as nobody: with a socket that belongs to that user, which is what a packet filter goes by. Anybody else
  /// has tried already, by asking gpsd.
  static func tried(
    on loop: EventLoop, _ address: GpsdAddress, own finding: GpsdFinding, patience: Duration
  ) -> GpsdDoor {
    guard geteuid() == 0 else { return GpsdDoor(user: self.ownName, finding: finding, isTriedByRoot: false) }
    // Where root is refused so is everybody.
    let found =
      finding.isReached
      ? GpsdProbe.run(on: loop, address, as: self.nobody, patience: patience) : finding
    return GpsdDoor(user: "nobody", finding: found, isTriedByRoot: true)
  }

  /// The number that Linux itself has for a user that is none.
  private static let nobody: UInt32 = 65_534

  private static var ownName: String {
    if case .named(let name) = UserName(of: geteuid()) { name } else { "uid \(geteuid())" }
  }
}
