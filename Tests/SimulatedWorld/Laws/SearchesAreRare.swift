import Glibc
import Positioning

/// Without sky the receiver is on for a first search, and then for a minute now and then, whoever needs it.
struct SearchesAreRare: Law {
  static let promise = Promise(
    "docs/energy.md",
    "Then there is a pause of 1 minute, 2, 4, and so on, up to an hour; with `watch` at least `min-off-time`.")
  /// A cold start's search, which may have begun as the sky went.
  private static let first: Duration = .seconds(15 * 60)
  /// A further search without a satellite in view.
  private static let further: Duration = .seconds(60)
  private static let linger: Duration = .seconds(60)
  /// A request may wait for its timeout, and a search that it begins lasts no longer than one for a lost fix.
  private static let longest: Duration = .seconds(5 * 60)

  private(set) var breaches: [Breach] = []
  private var isWatched = false
  private var began: Duration?
  /// How long the receiver was on since then, and since when it is.
  private var on: Duration = .zero
  private var onSince: Duration?
  /// How long those who came since then may have it on.
  private var requested: Duration = .zero

  mutating func observe(_ observation: Observation, in world: World) {
    switch observation {
    case .hardware(let isWatched, _):
      self.isWatched = isWatched
      if let since = self.onSince { self.on += world.elapsed - since }
      self.onSince = isWatched ? world.elapsed : nil
    case .fault(let fault, let begins):
      guard fault.kind == .noSky else { return }
      if begins {
        self.began = world.elapsed
        (self.on, self.requested) = (.zero, .zero)
        self.onSince = self.isWatched ? world.elapsed : nil
      } else if let began = self.began {
        self.judge(from: began, in: world)
        self.began = nil
      }
    case .sent(_, let request):
      let time = request.timeout.map { min(.seconds($0), Self.longest) } ?? Self.longest
      self.requested += time + Self.further + Self.linger
    case .entered, .libraryAsked, .libraryHeard(_, .begun), .libraryHeard(_, .reconnected):
      self.requested += Self.longest + Self.further + Self.linger
    case _: break
    }
  }

  private mutating func judge(from began: Duration, in world: World) {
    let length = world.elapsed - began
    let on = self.on + (self.onSince.map { world.elapsed - $0 } ?? .zero)
    // So many pauses, each twice as long as the one before.
    let pauses = (log2(length.seconds / 60 + 1)).rounded(.down)
    let bound = Self.first + Self.linger + (Self.further + Self.linger) * pauses + self.requested
    guard on > bound,
      !world.script.isDisturbed(from: began, to: world.elapsed, margin: .seconds(60), by: { $0 != .noSky })
    else {
      return
    }
    self.breaches.append(
      self.breach("without sky for \(length), the receiver was on for \(on) of at most \(bound)", in: world))
  }
}
