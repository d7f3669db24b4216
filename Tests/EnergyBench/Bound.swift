import Glibc
import Positioning

/// The least that can be hoped for: it knows how long each start will take, and all that is announced, so that each fix
/// comes when it is due. It stays on, and saves power if nobody asks for more than that gives, where that takes less than
/// another start. It does not know of requests that nobody announced, nor of the sky. It pays what is agreed: the
/// shortest linger after such a request, a search in the dark with its pauses, the orbits that keep its starts hot, and
/// for fences a fix when their latency has passed after the device can have been at the nearest edge.
struct Bound: Strategy {
  static let name = "the bound"

  private static let linger = 10.0
  /// Seconds from the fix at which an event is decided, with another fix that confirms it.
  private static let confirmation = 10.0

  private var searchEnds: Double?
  private var pausesUntil = 0.0
  private var failures = 0.0
  private var lingersUntil = 0.0
  private var wasDemanded = false
  private var fixesSince: Double?
  private var hadFix = false
  private var plannedDue: Double?
  private var plannedStart: Double?

  init() {}

  func savesPower(for clients: Clients) -> Bool { !clients.needFullPower }

  mutating func isOn(for clients: Clients, _ receiver: ReceiverModel) -> Bool {
    let isOn = self.wants(clients, receiver)
    guard isOn else {
      (self.searchEnds, self.fixesSince) = (nil, nil)
      return false
    }
    let now = clients.now
    if receiver.hasFix || clients.hasRequests {
      self.searchEnds = nil
    } else if let end = self.searchEnds, now >= end {
      self.pausesUntil = now + min(60 * exp2(self.failures), 3600)
      self.failures += 1
      (self.searchEnds, self.fixesSince) = (nil, nil)
      return false
    } else if self.searchEnds == nil {
      self.searchEnds = now + (self.failures > 0 ? 60 : self.hadFix ? 300 : 900)
    }
    return true
  }

  private mutating func wants(_ clients: Clients, _ receiver: ReceiverModel) -> Bool {
    let now = clients.now
    if clients.hasRequests {
      self.failures = 0
      self.pausesUntil = 0
      self.wasDemanded = true
      return true
    }
    if self.wasDemanded {
      self.wasDemanded = false
      self.lingersUntil = now + Self.linger
    }
    if now < self.pausesUntil { return false }
    if clients.hasNewcomers || now < self.lingersUntil { return true }
    guard let due = self.nextDue(clients) else { return false }
    if due != self.plannedDue { (self.plannedDue, self.plannedStart) = (due, nil) }
    if receiver.isOn {
      // It sleeps until the next start, if that is not now.
      let start = Self.start(for: due, receiver)
      if start <= now { return true }
      let costs = receiver.costs(
        ofStartAt: start, insteadOfStayingFrom: now, until: due, isBeat: (clients.interval ?? .infinity) <= 10)
      if receiver.hasFix, costs.stay < costs.start { return true }
    } else {
      let start = self.plannedStart ?? Self.start(for: due, receiver)
      self.plannedStart = start
      return now >= start
    }
    return self.collects(for: due, now: now, receiver)
  }

  /// The latest second in which a start has a fix when it is due.
  private static func start(for due: Double, _ receiver: ReceiverModel) -> Double {
    var start = due.rounded(.down)
    while (start + receiver.duration(ofStartAt: start)).rounded(.up) > due { start -= 1 }
    return start
  }

  /// Whether it stays on to have a hot start for what is due.
  private func collects(for due: Double, now: Double, _ receiver: ReceiverModel) -> Bool {
    guard receiver.hasFix, let fixesSince, now - fixesSince < ReceiverModel.collecting else { return false }
    let start = Self.start(for: due, receiver)
    return start - now < 7200 && ReceiverModel.collecting - (now - fixesSince) < receiver.costOfCooling(at: start)
  }

  private func nextDue(_ clients: Clients) -> Double? {
    // A place counts for no longer than in the broker.
    let reach = min(clients.distanceToEdge / Activity.other.speedBound, 900)
    let look = clients.latency.flatMap { latency in clients.lastFix.map { $0 + reach + latency } }
    return [clients.nextDue, look].compactMap { $0 }.min()
  }

  mutating func fixed(at now: Double, _ receiver: ReceiverModel) {
    self.fixesSince = self.fixesSince ?? now
    self.failures = 0
    self.hadFix = true
  }
}
