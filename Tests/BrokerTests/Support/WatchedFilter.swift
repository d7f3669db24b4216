import Positioning
import ReceiverPorts

@testable import Broker

/// A filter, and when it has lost the fix.
@dynamicMemberLookup
struct WatchedFilter {
  enum Event: Hashable {
    case fixed(Fix, epoch: Int)
    case improved(Fix, epoch: Int)
    case rejected(FixFilter.Rejection)
    /// There was a fix, and now there is none.
    case lost

    fileprivate init(_ event: FixFilter.Event) {
      switch event {
      case .fixed(let fix, let epoch): self = .fixed(fix, epoch: epoch)
      case .improved(let fix, let epoch): self = .improved(fix, epoch: epoch)
      case .rejected(let rejection): self = .rejected(rejection)
      }
    }
  }

  private var filter: FixFilter

  init(_ filter: FixFilter) { self.filter = filter }

  subscript<Value>(dynamicMember path: KeyPath<FixFilter, Value>) -> Value { self.filter[keyPath: path] }

  private mutating func watching(_ change: (inout FixFilter) -> [FixFilter.Event]) -> [Event] {
    var hadFix = self.filter.hasFix
    let events = change(&self.filter)
    for case .fixed in events { hadFix = true }
    return events.map { Event($0) } + (hadFix && !self.filter.hasFix && self.filter.isLost ? [.lost] : [])
  }

  mutating func received(_ report: PositionReport) -> [Event] { self.watching { $0.received(report) } }

  mutating func received(_ estimate: ErrorEstimateReport) -> [Event] { self.watching { $0.received(estimate) } }

  mutating func received(_ sky: SkyReport) { self.filter.received(sky) }

  mutating func deadlineReached(now: Instant) -> [Event] { self.watching { $0.deadlineReached(now: now) } }

  mutating func sessionEnded(isIntended: Bool) -> [Event] {
    self.watching { filter in
      filter.sessionEnded(isIntended: isIntended)
      return []
    }
  }

  mutating func devicesListed(_ devices: [ReceiverDevice]) { self.filter.devicesListed(devices) }
}

extension WatchedFilter {
  /// A filter that knows the usual receiver.
  static func knowing(_ settings: FixSettings = FixSettings(), devices: [ReceiverDevice] = [ublox]) -> WatchedFilter {
    var filter = WatchedFilter(FixFilter(settings: settings))
    filter.devicesListed(devices)
    return filter
  }

  /// Feeds reports, each at its own arrival, with the filter's deadlines in between, and returns the results.
  mutating func run(_ reports: [PositionReport]) -> [Event] {
    var events: [Event] = []
    for report in reports {
      events += self.advance(to: report.arrival)
      events += self.received(report)
    }
    return events
  }

  /// Lets the filter's deadlines before that moment pass.
  mutating func advance(to moment: Instant) -> [Event] {
    var events: [Event] = []
    while let deadline = self.nextDeadline, deadline < moment { events += self.deadlineReached(now: deadline) }
    return events
  }
}

extension [WatchedFilter.Event] {
  /// The fixes of new epochs.
  var fixes: [Fix] {
    self.compactMap { event in
      if case .fixed(let fix, _) = event { fix } else { nil }
    }
  }

  var improvements: [Fix] {
    self.compactMap { event in
      if case .improved(let fix, _) = event { fix } else { nil }
    }
  }

  var losses: Int { self.count { $0 == .lost } }

  var rejections: [FixFilter.Rejection] {
    self.compactMap { event in
      if case .rejected(let rejection) = event { rejection } else { nil }
    }
  }

  var epochs: [Int] {
    self.compactMap { event in
      if case .fixed(_, let epoch) = event { epoch } else { nil }
    }
  }
}
