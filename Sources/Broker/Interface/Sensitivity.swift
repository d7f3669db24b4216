import Positioning

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
  package func allows(_ sensitivity: Sensitivity) -> Bool {
    switch sensitivity {
    case .open: true
    case .reduced: self.precision != nil
    case .precise: self.precision == .precise
    }
  }
}

extension Sensitivity {
  init(of fix: Fix?) {
    self = fix.map { Self($0.reveals) } ?? .open
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
