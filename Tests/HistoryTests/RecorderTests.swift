import History
import PositionClient
import Positioning
import Testing

@testable import HistoryRecorder

/// What the recorder decides, in virtual time.
@Suite struct RecorderTests {
  private var settings = RecorderSettings()

  /// The machine with a clock, whose records are stored unless the disk fails.
  private struct Run {
    var machine: RecorderMachine
    var now = WallMoment(instant: Instant(sinceBoot: .seconds(100)), since1970: .seconds(1_780_000_000))
    var stored: [HistoryRecord] = []
    var log: [String] = []
    var wait: Instant?
    var failure: String?

    init(_ settings: RecorderSettings = RecorderSettings()) { self.machine = RecorderMachine(settings) }

    @discardableResult
    mutating func happen(_ event: RecorderEvent, after seconds: Double = 0) -> [RecorderAction] {
      self.now.instant = self.now.instant + .seconds(seconds)
      self.now.since1970 += .seconds(seconds)
      var all: [RecorderAction] = []
      var events = [event]
      while !events.isEmpty {
        let actions = self.machine.handle(events.removeFirst(), at: self.now)
        for action in actions {
          switch action {
          case .record(let records, _):
            if let failure {
              events.append(.storeFailed(failure))
            } else {
              self.stored += records
              events.append(.stored)
            }
          case .log(_, let words): self.log.append(words)
          case .wait(let until): self.wait = until
          case .beginSession, .endSession, .requestPermission, .register, .attach, .stream, .followStatus, .acknowledge,
            .state:
            all.append(action)
          }
        }
      }
      return all.filter { if case .state = $0 { false } else { true } }
    }

    mutating func follow(_ authorization: Authorization = Authorization(state: .always), lastEvent: Int = 0) {
      self.happen(.started(lastEvent: nil, newest: nil, hasGap: false))
      self.happen(.session(.permitted(authorization)))
      self.happen(.session(.registered(lastEvent: lastEvent)))
      self.happen(.session(.attached(lastEvent: lastEvent)))
      self.stored = []
    }

    func fix() -> Fix { Fix(latitude: 48, longitude: 11, horizontalAccuracy: 5, arrival: self.now.instant) }

    @discardableResult
    mutating func stream(after seconds: Double = 1) -> [RecorderAction] {
      let update = PositionUpdate(
        fix: Fix(latitude: 48, longitude: 11, horizontalAccuracy: 5, arrival: self.now.instant + .seconds(seconds)),
        availability: .available)
      return self.happen(.session(.streamed(update)), after: seconds)
    }

    var fixes: [HistoryFix] { self.stored.compactMap { if case .fix(let fix) = $0 { fix } else { nil } } }
    var gaps: [Gap.Cause] { self.stored.compactMap { if case .gapBegan(let cause, _) = $0 { cause } else { nil } } }
  }

  @Test func `it registers visits and regions, and follows what others need without turning anything on`() {
    var run = Run()
    #expect(run.happen(.started(lastEvent: 7, newest: nil, hasGap: false)) == [.beginSession])
    #expect(
      run.happen(.session(.permitted(Authorization(state: .always))))
        == [.register(hasVisits: true, hasPositions: true)])
    #expect(run.happen(.session(.registered(lastEvent: 9))) == [.attach(since: 7), .stream, .followStatus])
    #expect(RecorderSettings().position == nil && RecorderSettings().stream?.mode == .passive)
  }

  @Test func `fixes are recorded, and a segment begins where some are missing`() {
    var run = Run()
    run.follow()
    for seconds in [1.0, 1, 29, 31, 1] { run.stream(after: seconds) }
    #expect(run.fixes.map(\.beginsSegment) == [true, false, false, true, false])
  }

  @Test func `what positiond knew before is recorded once`() {
    var run = Run()
    run.happen(.started(lastEvent: nil, newest: run.now.timestamp, hasGap: true))
    run.happen(.session(.permitted(Authorization(state: .always))))
    run.happen(.session(.registered(lastEvent: 0)))
    for _ in 1...2 {
      let update = PositionUpdate(fix: run.fix(), availability: .available, isReplay: true)
      run.happen(.session(.streamed(update)))
      #expect(run.fixes.isEmpty)
    }
    run.happen(.session(.streamed(PositionUpdate(fix: run.fix(), availability: .available, isReplay: true))), after: 0)
    run.stream(after: 5)
    #expect(run.fixes.count == 1)
  }

  @Test func `a gap has its reason, from its begin to the next fix`() {
    var run = Run()
    run.follow()
    run.stream()
    let reasons: [(Availability, Gap.Cause)] = [
      (.poweredDown, .unneeded), (.lost, .noFix), (.gpsdDown, .noReceiver), (.untrusted, .untrusted),
    ]
    for (availability, cause) in reasons {
      run.happen(.session(.streamed(PositionUpdate(availability: availability))), after: 1)
      run.happen(.session(.streamed(PositionUpdate(availability: availability))), after: 1)
      #expect(run.gaps.last == cause)
    }
    #expect(run.gaps.count == reasons.count)
    run.stream()
    #expect(run.stored.suffix(2).first == .gapEnded(at: run.now.timestamp) && run.fixes.last?.beginsSegment == true)
  }

  @Test func `an event is acknowledged once it is stored with its number, one acknowledgement at a time`() {
    var run = Run()
    run.follow()
    let visit = Visit(id: 1, latitude: 48, longitude: 11, horizontalAccuracy: 9, arrival: run.now.instant)
    #expect(run.happen(.session(.happened(DurableEvent(id: 1, content: .visit(visit))))) == [.acknowledge(1)])
    #expect(run.stored.last == .event(1))
    #expect(run.happen(.session(.happened(DurableEvent(id: 2, content: .visit(visit))))).isEmpty)
    #expect(run.happen(.session(.acknowledged(1))) == [.acknowledge(2)])
    #expect(run.happen(.session(.acknowledged(2))).isEmpty)
  }

  @Test func `what positiond numbers anew after it lost its store is taken`() {
    var run = Run()
    run.happen(.started(lastEvent: 50, newest: nil, hasGap: false))
    run.happen(.session(.permitted(Authorization(state: .always))))
    #expect(run.happen(.session(.registered(lastEvent: 3))).first == .attach(since: nil))
  }

  @Test func `a full disk stops it and is said once; events stay with positiond, and the gap is recorded afterwards`() {
    var run = Run()
    run.follow()
    run.failure = "no room"
    let begin = run.now.timestamp
    let visit = Visit(id: 1, latitude: 48, longitude: 11, horizontalAccuracy: 9, arrival: run.now.instant)
    #expect(run.happen(.session(.happened(DurableEvent(id: 1, content: .visit(visit))))) == [.endSession])
    #expect(run.wait == run.now.instant + .seconds(60))
    #expect(run.happen(.timeReached, after: 60) == [.beginSession])
    run.happen(.session(.permitted(Authorization(state: .always))))
    run.happen(.session(.registered(lastEvent: 1)))
    run.happen(.session(.happened(DurableEvent(id: 1, content: .visit(visit)))))
    #expect(run.log.filter { $0.contains("no room") }.count == 1)
    run.failure = nil
    run.happen(.timeReached, after: 60)
    run.happen(.session(.permitted(Authorization(state: .always))))
    run.happen(.session(.registered(lastEvent: 1)))
    run.happen(.session(.happened(DurableEvent(id: 1, content: .visit(visit)))))
    #expect(run.stored.contains(.gapBegan(.full, at: begin)) && run.stored.last == .event(1))
    #expect(run.log.last == "the history can be written again")
  }

  @Test func `a denial stops it and is said, and a grant lets it go on`() {
    var run = Run()
    run.happen(.started(lastEvent: nil, newest: nil, hasGap: false))
    let denied = Authorization(state: .restricted, remedy: "ask the administrator")
    #expect(run.happen(.session(.permitted(denied))).isEmpty)
    #expect(run.gaps == [.denied])
    #expect(run.log == ["nothing is recorded: positiond permits nothing (restricted); ask the administrator"])
    #expect(
      run.happen(.session(.permitted(Authorization(state: .always))))
        == [.register(hasVisits: true, hasPositions: true)])
    run.happen(.session(.registered(lastEvent: 0)))
    #expect(run.happen(.session(.permitted(denied))) == [.endSession, .beginSession])
  }

  @Test func `nobody has decided: it asks; while connected only: positions; reduced: no visits`() {
    var run = Run()
    run.happen(.started(lastEvent: nil, newest: nil, hasGap: false))
    #expect(run.happen(.session(.permitted(Authorization(state: .notDetermined)))) == [.requestPermission])
    #expect(run.happen(.session(.permitted(Authorization(state: .whenInUse)))) == [.stream, .followStatus])
    #expect(run.log.last?.contains("positions only") == true)
    var reduced = Run()
    reduced.happen(.started(lastEvent: nil, newest: nil, hasGap: false))
    #expect(
      reduced.happen(.session(.permitted(Authorization(state: .always, precision: .reduced))))
        == [.stream, .followStatus])
    var settings = RecorderSettings()
    settings.record.mode = .significant
    var significant = Run(settings)
    significant.happen(.started(lastEvent: nil, newest: nil, hasGap: false))
    #expect(
      significant.happen(.session(.permitted(Authorization(state: .always, precision: .reduced))))
        == [.register(hasVisits: false, hasPositions: true)])
    #expect(significant.happen(.session(.registered(lastEvent: 0))) == [.attach(since: nil), .followStatus])
  }

  @Test func `a pause registers no positions, and is noticed to be over within a minute`() {
    var run = Run()
    run.follow()
    let end = run.now.timestamp + .seconds(7200)
    #expect(run.happen(.paused(until: end)) == [.endSession, .beginSession])
    #expect(
      run.happen(.session(.permitted(Authorization(state: .always))))
        == [.register(hasVisits: true, hasPositions: false)])
    #expect(run.happen(.session(.registered(lastEvent: 0))) == [.attach(since: nil), .followStatus])
    #expect(run.wait == run.now.instant + .seconds(60))
    #expect(run.happen(.paused(until: run.now.timestamp), after: 30) == [.endSession, .beginSession])
  }

  @Test func `a recorder that was killed leaves a gap from its last fix on, one that was stopped says so`() {
    var run = Run()
    let newest = run.now.timestamp + .seconds(-500)
    run.happen(.started(lastEvent: nil, newest: newest, hasGap: false))
    #expect(run.stored == [.gapBegan(.off, at: newest), .gapEnded(at: run.now.timestamp)])
    #expect(run.happen(.stopped) == [.endSession])
    #expect(run.gaps.last == .off)
  }
}
