import Positioning

/// Chooses between receivers: the configured one, or else the best, with a hysteresis of five seconds.
struct ReceiverChoice: Hashable, Sendable {
  static let hysteresis: Duration = .seconds(5)

  private(set) var chosen: String?
  private var hasChosen = false
  private var chosenFixArrival: Instant?
  private var chosenAccuracy: Double?
  /// Another receiver that has been better, or the only one, for some time.
  private var rival: String?
  private var rivalSince: Instant?
  private var rivalAccuracy: Double?

  /// Whether a report of this receiver without a position counts.
  func trusts(_ device: String?, configured: String?) -> Bool {
    if let configured { return device == configured }
    return !self.hasChosen || device == self.chosen
  }

  /// Whether the fix of this receiver counts; may change the choice.
  ///
  /// - Parameter isChosenSilent: Whether the chosen receiver has missed epochs. The hysteresis keeps two live receivers
  ///   from alternating; it must not hold on to a dead one.
  mutating func accepts(_ fix: Fix, configured: String?, isChosenSilent: Bool) -> Bool {
    if let configured { return fix.device == configured }
    if !self.hasChosen || isChosenSilent || fix.device == self.chosen {
      self.choose(fix)
      // The chosen one reports again and is no worse, so a receiver that was only alone for a while is no rival.
      if fix.horizontalAccuracy ?? .infinity <= self.rivalAccuracy ?? .infinity { self.rivalSince = nil }
      return true
    }
    guard self.isRival(fix) else {
      if self.rival == fix.device { self.rivalSince = nil }
      return false
    }
    if self.rival != fix.device || self.rivalSince == nil {
      self.rival = fix.device
      self.rivalSince = fix.arrival
    }
    self.rivalAccuracy = fix.horizontalAccuracy
    guard let since = self.rivalSince, fix.arrival - since >= ReceiverChoice.hysteresis else { return false }
    self.choose(fix)
    return true
  }

  /// The chosen one is gone or has no fix: the next receiver with a fix is chosen.
  mutating func leave() {
    self.hasChosen = false
  }

  /// Whether it is better than the chosen one's newest fix, or the chosen one has had none for a while.
  private func isRival(_ fix: Fix) -> Bool {
    guard let chosenFixArrival, fix.arrival - chosenFixArrival < .seconds(2) else { return true }
    guard let accuracy = fix.horizontalAccuracy else { return false }
    return accuracy < self.chosenAccuracy ?? .infinity
  }

  private mutating func choose(_ fix: Fix) {
    if fix.device != self.chosen || !self.hasChosen {
      self.rival = nil
      self.rivalSince = nil
      self.rivalAccuracy = nil
    }
    self.hasChosen = true
    self.chosen = fix.device
    self.chosenFixArrival = fix.arrival
    self.chosenAccuracy = fix.horizontalAccuracy
  }
}
