package import Positioning

/// How much each notification reveals of the position. The server checks it just before it sends one.
extension Notification {
  package var sensitivity: Sensitivity {
    switch self {
    case .position(_, let update): Sensitivity(of: update)
    case .sky: .precise
    case .heading(_, let update): update.heading == nil ? .open : .precise
    case .status(_, let status, _): status.lastFix == nil ? .open : .precise
    case .region(let event): Sensitivity(of: event)
    case .visit: .precise
    case .durable(_, let event):
      switch event.content {
      case .position(let update): Sensitivity(of: update)
      case .region(let event): Sensitivity(of: event)
      case .visit: .precise
      }
    case .ended, .durableOverflow, .durableEnded, .authorization, .prompted: .open
    }
  }
}

extension SensitivityLimit {
  package func allows(_ sensitivity: Sensitivity) -> Bool { sensitivity.isAllowed(at: self.precision) }
}

extension Sensitivity {
  /// Whether a client may know it to whom no more than this precision may be sent; `nil`: no position at all.
  package func isAllowed(at precision: Precision?) -> Bool {
    switch self {
    case .open: true
    case .reduced: precision != nil
    case .precise: precision == .precise
    }
  }

  init(of fix: Fix?) {
    self = fix.map { Self($0.reveals) } ?? .open
  }

  /// It looks at single members, because each answer is asked several times and a fix is large to pass on.
  init(of result: FixResult) {
    guard !result.diagnostics.revealsSky, let isReduced = result.fix?.isReduced else {
      self = result.diagnostics.revealsSky ? .precise : .open
      return
    }
    self = isReduced ? .reduced : .precise
  }

  fileprivate init(of update: PositionUpdate) {
    let isAnyPrecise = update.fix?.isReduced == false || update.fixes.contains { !$0.isReduced }
    self = isAnyPrecise ? .precise : update.fix == nil && update.fixes.isEmpty ? .open : .reduced
  }

  /// Only time decides that a region expires.
  fileprivate init(of event: RegionEvent) {
    self = event.kind == .expired && event.state == .unknown ? .open : event.isReduced ? .reduced : .precise
  }

  init(of regions: [RegionInfo]) {
    let known = regions.filter { $0.state != .unknown }
    self = known.isEmpty ? .open : known.allSatisfy(\.isReduced) ? .reduced : .precise
  }
}

extension Diagnostics {
  var revealsSky: Bool {
    self.mode != nil || self.satellitesSeen != nil || self.satellitesUsed != nil
  }
}
