import EventLoop
import Positioning

/// Names of users, asked of the system at every connection but for those of the last second.
///
/// A number may go to another user while the daemon runs, and the name is what grants: so none is kept for long. Asking
/// may go a long way, over a network even, and the loop waits for it: so a client that connects again and again has it
/// asked once a second at most, found or not.
struct UserNames {
  static let lasting: Duration = .seconds(1)
  /// More are not kept, but asked.
  static let maximum = 64

  private struct Kept {
    var name: String?
    var asked: Instant
  }

  private let ask: (UInt32) -> UserName
  private var kept: [UInt32: Kept] = [:]

  init(ask: @escaping (UInt32) -> UserName = { UserName(of: $0) }) { self.ask = ask }

  /// The name, or `nil` where the system knows none, or cannot say.
  mutating func name(of uid: UInt32, now: Instant) -> String? {
    if let kept = self.kept[uid], now - kept.asked < Self.lasting { return kept.name }
    let name: String? = if case .named(let name) = self.ask(uid) { name } else { nil }
    if self.kept[uid] == nil, self.kept.count >= Self.maximum {
      self.kept = self.kept.filter { now - $0.value.asked < Self.lasting }
    }
    if self.kept[uid] != nil || self.kept.count < Self.maximum { self.kept[uid] = Kept(name: name, asked: now) }
    return name
  }
}
