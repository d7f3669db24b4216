import Positioning
import Testing

@testable import Broker

/// The waiting events of a durable name.
@Suite struct InboxTests {
  private static let visit = DurableContent.visit(
    Visit(id: 1, latitude: 50, longitude: 8, horizontalAccuracy: 5))

  private func inbox(_ count: Int, limits: InboxLimits = InboxLimits()) -> Inbox {
    var inbox = Inbox()
    for second in 0..<count { _ = inbox.append(Self.visit, at: at(Double(second)), limits: limits) }
    return inbox
  }

  @Test("Event numbers rise, and do not begin again when all events are acknowledged")
  func numbers() {
    var inbox = self.inbox(3)
    #expect(inbox.events.map(\.id) == [1, 2, 3])
    inbox.acknowledge(through: 3)
    #expect(inbox.events.isEmpty)
    _ = inbox.append(Self.visit, at: at(9), limits: InboxLimits())
    #expect(inbox.events.map(\.id) == [4])
  }

  @Test("An inbox over its limit drops the oldest events, and counts them")
  func overflow() {
    var limits = InboxLimits()
    limits.events = 10
    var inbox = self.inbox(25, limits: limits)
    #expect(inbox.events.map(\.id) == Array(16...25))
    #expect(inbox.dropped == 15)
    let through = inbox.append(Self.visit, at: at(30), limits: limits)
    #expect(through == 16)
    inbox.overflowReported()
    #expect(inbox.dropped == 0)
  }

  @Test("A batch counts as its number of fixes, and the newest event always stays")
  func weight() {
    var limits = InboxLimits()
    limits.fixes = 100
    var inbox = Inbox()
    let fix = Fix(latitude: 50, longitude: 8, arrival: at(1))
    for count in [60, 30, 20, 500] {
      var update = PositionUpdate(availability: .available)
      update.fixes = Array(repeating: fix, count: count)
      _ = inbox.append(.position(update), at: at(1), limits: limits)
      #expect(inbox.events.last?.weight == count)
    }
    #expect(inbox.events.map(\.id) == [4])
    #expect(inbox.dropped == 3)
  }

  @Test("A window of events begins at the requested number", arguments: [(0, 1), (1, 1), (3, 3), (4, 4), (99, nil)])
  func window(from: UInt64, first: UInt64?) {
    let inbox = self.inbox(5)
    #expect(inbox.events(from: from, atMost: 2, fixes: 9).first?.id == first)
    #expect(inbox.events(from: from, atMost: 2, fixes: 9).count <= 2)
  }

  @Test(
    "A window has a maximum of fixes, and one event in any case",
    arguments: [(1, 100, [1, 2]), (1, 89, [1]), (3, 10, [3]), (4, 100, [4]), (1, 1000, [1, 2, 3, 4])])
  func windowOfBatches(from: UInt64, fixes: Int, ids: [UInt64]) {
    var inbox = Inbox()
    let fix = Fix(latitude: 50, longitude: 8, arrival: at(1))
    for count in [60, 30, 20, 500] {
      let update = PositionUpdate(fixes: Array(repeating: fix, count: count), availability: .available)
      _ = inbox.append(.position(update), at: at(1), limits: InboxLimits())
    }
    #expect(inbox.events(from: from, atMost: 16, fixes: fixes).map(\.id) == ids)
  }

  @Test("A window of events begins at the requested number after a restart that lost events in the middle")
  func gaps() {
    let events = self.inbox(9).events.filter { ![2, 3, 6].contains($0.id) }
    let inbox = Inbox(events: Array(events), lastEvent: 9)
    let windows = (1...10 as ClosedRange<UInt64>).map { inbox.events(from: $0, atMost: 2, fixes: 9).map(\.id) }
    #expect(windows == [[1, 4], [4, 5], [4, 5], [4, 5], [5, 7], [7, 8], [7, 8], [8, 9], [9], []])
  }
}
