package import Positioning

/// The number of a question to a person; never reused while the daemon lives.
package struct PromptID: Hashable, Comparable, Sendable {
  package let value: UInt64

  package init(_ value: UInt64) { self.value = value }

  package static func < (left: PromptID, right: PromptID) -> Bool { left.value < right.value }
}

/// A question to a person, and its number.
package struct Prompt: Hashable, Sendable {
  package var id: PromptID
  package var question: PermissionPrompt
}

/// What the server may still send a client, including messages that already wait.
package struct SensitivityLimit: Hashable, Sendable {
  /// The finest precision that may be sent; `nil`: no position at all.
  package var precision: Precision?
  /// The failure that replaces a reply that may not be sent any more.
  package var denial: CallFailure

  package init(precision: Precision?, denial: CallFailure) {
    self.precision = precision
    self.denial = denial
  }
}

/// How much a message reveals of the position.
package enum Sensitivity: Int, Hashable, Sendable {
  case open
  /// The reduced position, or results that were judged by it.
  case reduced
  case precise

  /// The sensitivity of what only clients with this precision may know.
  package init(_ precision: Precision) {
    switch precision {
    case .precise: self = .precise
    case .reduced: self = .reduced
    }
  }
}

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
