import Glibc

/// Android's engine: above an interval of 10 s it is off after a fix, and an alarm starts it one interval later. If the
/// interval is at least a minute, a search without a fix ends after a minute. Fences make an interval of their own.
struct AndroidRule: Strategy {
  static let name = "Android's rule"

  private var isSearching = false
  private var began = 0.0
  private var alarm = 0.0

  init() {}

  mutating func isOn(for clients: Clients, _ receiver: ReceiverModel) -> Bool {
    let now = clients.now
    let fence = clients.latency == nil ? nil : min(7200, max(1800, clients.distanceToEdge / 100))
    let interval = [clients.interval, fence].compactMap { $0 }.min()
    if clients.hasRequests || clients.hasNewcomers { return self.search(since: now) }
    guard let interval else {
      self.isSearching = false
      return false
    }
    if interval <= 10 { return self.search(since: now) }
    if self.isSearching, interval >= 60, !receiver.hasFix, now - self.began >= 60 {
      self.isSearching = false
      self.alarm = now + interval
    }
    if self.isSearching, receiver.hasFix {
      self.isSearching = false
      self.alarm = now + interval
    }
    if !self.isSearching, now >= self.alarm { return self.search(since: now) }
    return self.isSearching
  }

  private mutating func search(since now: Double) -> Bool {
    if !self.isSearching { self.began = now }
    self.isSearching = true
    return true
  }
}

/// Meshtastic's scheduler: up to an interval of 10 s it is always on. It wakes early by the learned time to the first
/// fix, sleeps only if the interval is long for that time, and stays on for up to 20 s after the fix, to collect orbits.
/// A search ends after 15 minutes, and after 5 once one was without a fix.
struct MeshtasticRule: Strategy {
  static let name = "the Meshtastic rule"

  private var predicted: Double?
  private var hadLock = false
  private var isSearching = false
  private var hasFailed = false
  private var began = 0.0
  private var locked: Double?
  private var wake = 0.0

  init() {}

  mutating func isOn(for clients: Clients, _ receiver: ReceiverModel) -> Bool {
    let now = clients.now
    let interval = [clients.interval, clients.latency].compactMap { $0 }.min()
    if clients.hasRequests || clients.hasNewcomers || interval.map({ $0 <= 10 }) ?? false {
      return self.search(since: now)
    }
    if self.isSearching {
      if let locked {
        guard now - locked >= 20 else { return true }
        guard let interval else { return self.sleep() }
        // A sleep must be worth the start.
        let prediction = self.predicted ?? 0
        guard interval >= 2.75 * pow(prediction, 1.22) else { return true }
        self.wake = locked + interval - prediction
        return self.sleep()
      }
      guard now - self.began >= (self.hasFailed ? 300 : 900) else { return true }
      self.hasFailed = true
      self.wake = now + min(interval ?? 3600, 3600)
      return self.sleep()
    }
    return interval != nil && now >= self.wake ? self.search(since: now) : false
  }

  mutating func fixed(at now: Double, _ receiver: ReceiverModel) {
    guard self.isSearching, self.locked == nil else { return }
    self.locked = now
    self.hasFailed = false
    // The first, cold one says nothing about the next.
    if self.hadLock { self.predicted = 0.8 * (self.predicted ?? now - self.began) + 0.2 * (now - self.began) }
    self.hadLock = true
  }

  private mutating func search(since now: Double) -> Bool {
    if !self.isSearching {
      self.began = now
      self.locked = nil
    }
    self.isSearching = true
    return true
  }

  private mutating func sleep() -> Bool {
    self.isSearching = false
    return false
  }
}
