import PositionProtocol
import Positioning
import Testing

@testable import PositionClient

/// The selection of region events over several connections.
struct FollowedRegionsTests {
  private static let start = Instant(sinceBoot: .seconds(1000))

  private static func region(
    _ id: String = "home", radius: Double = 150, notify: Set<RegionEventKind> = [.enter, .exit],
    expiresIn: Duration? = nil, initial: InitialReport = .none
  ) -> Region {
    Region(
      id: id, shape: .circle(center: Coordinate(latitude: 48.1, longitude: 11.5), radius: radius), notify: notify,
      dwellTime: .seconds(600), expiresIn: expiresIn, initial: initial)
  }

  private static func followed(_ regions: Region...) -> FollowedRegions {
    var followed = FollowedRegions(ticket: 3)
    _ = followed.change(to: regions, now: self.start)
    return followed
  }

  private static func event(_ kind: RegionEventKind, _ state: RegionState, of id: String = "3.1") -> RegionEvent {
    RegionEvent(id: id, kind: kind, state: state)
  }

  /// The kinds of the delivered events.
  private static func delivered(
    _ followed: inout FollowedRegions, _ events: (RegionEventKind, RegionState)...
  ) -> [RegionEventKind] {
    events.compactMap { followed.received(self.event($0.0, $0.1))?.kind }
  }

  // MARK: Deliveries

  @Test(
    "The first decision is delivered if the program requested it",
    arguments: [
      (.none, .inside, false), (.none, .outside, false), (.ifInside, .inside, true), (.ifInside, .outside, false),
      (.always, .inside, true), (.always, .outside, true),
    ] as [(InitialReport, RegionState, Bool)])
  func initial(report: InitialReport, state: RegionState, isDelivered: Bool) {
    var followed = Self.followed(Self.region(initial: report))
    let kind: RegionEventKind = state == .inside ? .enter : .exit
    #expect((followed.received(Self.event(kind, state))?.id == "home") == isDelivered)
  }

  @Test("Only the requested kinds of later events are delivered")
  func notify() {
    var followed = Self.followed(Self.region(notify: [.enter, .crossed]))
    let delivered = Self.delivered(
      &followed, (.exit, .outside), (.enter, .inside), (.exit, .outside), (.crossed, .outside), (.enter, .inside))
    #expect(delivered == [.enter, .crossed, .enter])
  }

  @Test("On a new connection only changes are delivered")
  func newConnection() {
    var followed = Self.followed(Self.region(notify: [.enter, .exit, .dwell]))
    #expect(Self.delivered(&followed, (.enter, .inside), (.dwell, .inside)) == [.dwell])
    _ = followed.established(now: Self.start)
    #expect(Self.delivered(&followed, (.enter, .inside), (.dwell, .inside)) == [])
    _ = followed.established(now: Self.start)
    #expect(Self.delivered(&followed, (.exit, .outside)) == [.exit])
    _ = followed.established(now: Self.start)
    #expect(Self.delivered(&followed, (.exit, .outside), (.enter, .inside), (.dwell, .inside)) == [.enter, .dwell])
  }

  @Test("Only the first state of all is marked as the initial one, and a new connection's is a change")
  func marked() {
    var followed = Self.followed(Self.region(initial: .always))
    let outside = RegionEvent(id: "3.1", kind: .exit, state: .outside, isInitial: true)
    #expect(followed.received(outside)?.isInitial == true)
    _ = followed.established(now: Self.start)
    #expect(followed.received(outside) == nil)
    _ = followed.established(now: Self.start)
    let inside = RegionEvent(id: "3.1", kind: .enter, state: .inside, isInitial: true)
    #expect(followed.received(inside)?.isInitial == false)
  }

  @Test("A region that is not watched any more delivers nothing")
  func unknown() {
    var followed = Self.followed(Self.region(initial: .always))
    #expect(followed.received(Self.event(.enter, .inside, of: "home")) == nil)
    #expect(followed.change(to: [], now: Self.start) == [.remove("3.1")])
    #expect(followed.received(Self.event(.enter, .inside)) == nil)
    #expect(followed.wireIDs == [])
  }

  // MARK: Requests

  @Test("The daemon gets a request for every first decision, enter and exit, under an id of the loop's own")
  func request() {
    var followed = FollowedRegions(ticket: 3)
    let actions = followed.change(to: [Self.region(notify: [.dwell]), Self.region("work")], now: Self.start)
    var home = Self.region("3.1", notify: [.enter, .exit, .dwell], initial: .always)
    let work = Self.region("3.2", initial: .always)
    #expect(actions == [.add(home), .add(work)])
    #expect(followed.established(now: Self.start) == actions)
    #expect(followed.change(to: [Self.region(notify: [.dwell]), Self.region("work")], now: Self.start) == [])
    // Changed in place.
    home.shape = .circle(center: Coordinate(latitude: 48.1, longitude: 11.5), radius: 200)
    #expect(
      followed.change(to: [Self.region(radius: 200, notify: [.dwell])], now: Self.start) == [
        .remove("3.2"), .add(home),
      ])
  }

  @Test("A changed region keeps its state, unless its shape is another")
  func changed() {
    var followed = Self.followed(Self.region())
    #expect(Self.delivered(&followed, (.enter, .inside)) == [])
    _ = followed.change(to: [Self.region(notify: [.exit, .dwell])], now: Self.start)
    #expect(Self.delivered(&followed, (.exit, .outside)) == [.exit])
    _ = followed.change(to: [Self.region(radius: 200)], now: Self.start)
    #expect(Self.delivered(&followed, (.enter, .inside)) == [])
  }

  // MARK: Time

  @Test("The remaining time of a region is requested, and its end is delivered once")
  func expiry() {
    var followed = Self.followed(Self.region(expiresIn: .seconds(60)))
    #expect(
      followed.established(now: Self.start + .seconds(50)) == [
        .add(Self.region("3.1", expiresIn: .seconds(10), initial: .always))
      ])
    #expect(Self.delivered(&followed, (.expired, .unknown), (.enter, .inside)) == [.expired])
    #expect(followed.established(now: Self.start + .seconds(70)) == [])
    // It was gone from the daemon; there is nothing to remove.
    #expect(followed.change(to: [], now: Self.start) == [])
  }

  @Test("An end without a connection is delivered when there is one")
  func expiredApart() {
    var followed = Self.followed(Self.region(expiresIn: .seconds(60)))
    _ = Self.delivered(&followed, (.enter, .inside))
    let end = RegionEvent(id: "home", kind: .expired, state: .inside)
    #expect(followed.established(now: Self.start + .seconds(60)) == [.deliver(end)])
    #expect(followed.established(now: Self.start + .seconds(61)) == [])
    #expect(followed.wireIDs == [])
  }

  @Test("A region whose time was over begins again when it is changed")
  func renewed() {
    var followed = Self.followed(Self.region(expiresIn: .seconds(60)))
    #expect(Self.delivered(&followed, (.enter, .inside), (.expired, .inside)) == [.expired])
    #expect(followed.change(to: [Self.region(initial: .always)], now: Self.start).count == 1)
    #expect(Self.delivered(&followed, (.enter, .inside)) == [.enter])
  }
}
