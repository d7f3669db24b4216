import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker

/// A clock that chrony has from the receiver, for hours: the receiver is on often enough, and no more.
@Suite struct ClockKeeperTests {
  @Test(
    "The clock is kept within the bound for a day, with the receiver off most of the time",
    arguments: [(1, 1.0, 0.15), (10, 1, 0.02), (10, 10, 0.15), (100, 50, 0.1)])
  func kept(bound: Int, allowance: Double, mostOn: Double) throws {
    var world = ClockWorld(keep: .milliseconds(bound))
    world.chrony.allowance = allowance * 1e-6
    world.run(hours: 1)
    #expect(world.daemon.status.power.nextStart?.what == "clock")
    world.worst = .zero
    let before = world.onTime
    world.run(hours: 23)
    #expect(world.worst <= .milliseconds(bound), "\(world.worst)")
    let share = (world.onTime - before) / .seconds(23 * 3600)
    #expect(share < mostOn, "on for \(share) of the time")
    #expect(world.daemon.status.clock?.problem == nil && world.daemon.status.demand == nil)
    // As rarely as the bound lets it: some of each interval goes to the lead.
    #expect(world.worst >= .milliseconds(bound) * 0.6, "\(world.worst)")
  }

  @Test("Without the setting the receiver stays off, and chrony is asked when it is turned on or off")
  func unset() {
    var world = ClockWorld(keep: nil)
    world.run(hours: 2)
    #expect(world.onTime == .zero && world.questions.count == 1)
    #expect(world.daemon.status.clock?.keep == nil && world.daemon.status.clock?.figure != nil)
    world.call(.getFix(FixRequest()))
    world.run(hours: 1)
    #expect(world.questions.count == 3 && world.daemon.status.clock?.isNeeded == false)
    var silent = ClockWorld(keep: nil, isSilent: true)
    silent.run(hours: 2)
    #expect(silent.questions.count == 1 && silent.daemon.status.clock == nil)
    var unasked = ClockWorld(keep: nil, port: nil)
    unasked.run(hours: 1)
    #expect(unasked.questions.isEmpty)
  }

  @Test("Where a server of the network keeps the clock right, the receiver is never turned on")
  func network() {
    var world = ClockWorld(keep: .milliseconds(10), followsServer: true)
    world.run(hours: 12)
    #expect(world.onTime == .zero && world.worst < .milliseconds(10) && !world.questions.isEmpty)
    #expect(world.questions.count < 200)
    // The network is gone: the receiver keeps it.
    world.chrony.followsServer = false
    world.run(hours: 12)
    #expect(world.onTime > .zero && world.worst < .milliseconds(10))
  }

  @Test("A chrony that takes nothing of five minutes of fixes is given up, and tried again ever later")
  func unfed() throws {
    var world = ClockWorld(keep: .milliseconds(1))
    world.chrony.isDeaf = true
    world.run(seconds: 400)
    #expect(!world.daemon.isReceiverOn && world.onTime < .seconds(330) && world.onTime > .seconds(290))
    #expect(world.daemon.status.clock?.problem?.contains("took no time") == true)
    world.run(hours: 24)
    #expect(world.onTime < .seconds(3600), "\(world.onTime)")
    world.chrony.isDeaf = false
    world.run(hours: 7)
    #expect(world.daemon.status.clock?.problem == nil)
    world.worst = .zero
    world.run(hours: 2)
    #expect(world.worst <= .milliseconds(1))
  }

  @Test("A chrony that does not answer is asked again ever later, and nothing is kept meanwhile")
  func silent() {
    var world = ClockWorld(keep: .milliseconds(1), isSilent: true)
    world.run(hours: 10)
    #expect(world.onTime == .zero && (8...20).contains(world.questions.count), "\(world.questions.count)")
    #expect(world.daemon.status.clock?.problem == "chrony does not answer at port 323 of this machine")
    world.isSilent = false
    world.run(hours: 2)
    #expect(world.daemon.status.clock?.problem == nil && world.onTime > .zero)
    // It ends while the receiver is on for it.
    while !world.daemon.isReceiverOn { world.run(seconds: 1) }
    world.isSilent = true
    world.run(seconds: 60)
    #expect(!world.daemon.isReceiverOn)
  }

  @Test("A bound that needs the receiver all the time has it on all the time, which is said")
  func tooFine() {
    var world = ClockWorld(keep: .milliseconds(1))
    world.chrony.floor = .milliseconds(20)
    world.run(hours: 1)
    #expect(world.daemon.isReceiverOn && world.daemon.status.clock?.isNeeded == true)
  }

  @Test("A search that fails rests as for any need, and goes on when there is sky")
  func noSky() {
    var world = ClockWorld(keep: .milliseconds(1))
    world.hasSky = false
    world.run(hours: 6)
    #expect(world.onTime < .seconds(2 * 3600), "\(world.onTime)")
    world.hasSky = true
    world.run(hours: 2)
    world.worst = .zero
    world.run(hours: 2)
    #expect(world.worst <= .milliseconds(1))
  }

  @Test("After a gap, in which the clock ran on, chrony is asked at once")
  func gap() {
    var world = ClockWorld(keep: .milliseconds(1))
    world.run(hours: 1)
    let count = world.questions.count
    world.skip(seconds: 8000)
    #expect(world.questions.count > count)
    world.run(seconds: 120)
    world.worst = .zero
    world.run(hours: 1)
    #expect(world.worst <= .milliseconds(1))
  }

  @Test("Whatever answers in chrony's place, it is asked at most every 16 s but for the receiver's turns")
  func hostile() {
    for seed in 0..<20 as Range<UInt64> {
      var world = ClockWorld(keep: .milliseconds(1))
      world.liar = SeededRandom(seed: seed)
      world.run(hours: 4)
      let starts = world.daemon.status.power.starts.total
      #expect(world.questions.count < 4 * 3600 / 16 + 3 * starts + 10, "\(world.questions.count), \(starts)")
    }
  }

  @Test("A new setting counts at once, and the end turns the receiver off")
  func changes() {
    var world = ClockWorld(keep: nil)
    world.run(hours: 1)
    var settings = world.daemon.settings
    settings.clock.keep = .milliseconds(1)
    settings.exitWhenIdle = .seconds(60)
    world.send(.settingsChanged(settings))
    world.run(seconds: 30)
    #expect(world.daemon.isReceiverOn && world.daemon.status.clock?.isNeeded == true)
    world.run(hours: 1)
    #expect(!world.ended, "the daemon ends only when nothing is kept")
    while !world.daemon.isReceiverOn { world.run(seconds: 1) }
    settings.clock.keep = nil
    world.send(.settingsChanged(settings))
    world.run(seconds: 70)
    #expect(!world.daemon.isReceiverOn)
  }

  @Test("The receiver's time is for those who may know when it had fixes, and the clock's state is for everybody")
  func time() throws {
    var world = ClockWorld(keep: .milliseconds(1))
    world.run(seconds: 100)
    world.daemon.connect(2)
    guard case .time(let time)? = world.daemon.answer(.time()) else { throw TimedOut("no time") }
    #expect(time.reading != nil && time.clock?.reference == "GPS")
    world.daemon.change { $0.isEnabled = false }
    guard case .time(let hidden)? = world.daemon.answer(.time()) else { throw TimedOut("no time") }
    #expect(hidden.reading == nil && hidden.clock == time.clock)
    #expect(Answer.time(time).sensitivity == .precise && Answer.time(hidden).sensitivity == .open)
  }
}

/// A daemon, its receiver, and chrony, in virtual time.
private struct ClockWorld {
  /// What chrony knows and says.
  struct Chrony {
    var error: Duration?
    /// How right it is at best.
    var floor: Duration = .microseconds(30)
    var allowance = 1e-6
    var updated = Instant.boot
    var isDeaf = false
    var followsServer = false
    /// The seconds with fixes since the last poll.
    private var samples = 0

    /// A second has passed.
    mutating func tick(hasFix: Bool, now: Instant) {
      if self.followsServer {
        if Int(now.sinceBoot.seconds) % 64 == 0 { (self.error, self.updated) = (.milliseconds(1), now) }
        return
      }
      if hasFix { self.samples += 1 }
      guard Int(now.sinceBoot.seconds) % 16 == 0 else { return }
      // Less than half a poll is not taken.
      if self.samples >= 8, !self.isDeaf { (self.error, self.updated) = (self.floor, now) }
      self.samples = 0
    }

    func error(at now: Instant) -> Duration? { self.error.map { $0 + (now - self.updated) * (self.allowance + 1e-8) } }

    func figure(at now: Instant) -> ClockFigure {
      ClockFigure(
        reference: self.error == nil ? nil : self.followsServer ? "192.0.2.1" : "GPS",
        isReferenceClock: self.error != nil && !self.followsServer, error: self.error(at: now), drift: 1e-8,
        updated: self.updated, asked: now)
    }
  }

  var daemon: VirtualDaemon
  var chrony = Chrony()
  var isSilent = false
  var hasSky = true
  /// Answers in chrony's place.
  var liar: SeededRandom?
  var worst: Duration = .zero
  private(set) var onTime: Duration = .zero
  private(set) var questions: [Instant] = []
  private(set) var ended = false
  private var onSince: Instant?
  private var fixes = 0

  init(
    keep: Duration?, port: Int? = ClockSettings.usualPort, isSilent: Bool = false, followsServer: Bool = false
  ) {
    var settings = BrokerSettings.open
    settings.clock = ClockSettings(keep: keep, port: port)
    self.daemon = VirtualDaemon(settings: settings)
    self.isSilent = isSilent
    if followsServer {
      self.chrony.followsServer = true
      (self.chrony.error, self.chrony.updated) = (.milliseconds(1), self.daemon.now)
    }
    self.send(.receiver(.power(PowerState(state: .off, rung: .ublox, since: self.daemon.now))))
    // What it asked before this was here to answer.
    if port != nil { self.answer() }
  }

  mutating func send(_ event: BrokerEvent) { self.follow(self.daemon.send(event)) }

  mutating func call(_ what: Call) { self.follow(self.daemon.call(what).actions) }

  mutating func skip(seconds: Double) { self.follow(self.daemon.skip(seconds: seconds)) }

  mutating func run(hours: Int) { self.run(seconds: hours * 3600) }

  mutating func run(seconds: Int) {
    for _ in 0..<seconds {
      self.follow(self.daemon.advance(by: 1))
      let (now, isOn) = (self.daemon.now, self.daemon.isReceiverOn)
      self.onSince = isOn ? self.onSince ?? now : nil
      if isOn { self.onTime += .seconds(1) }
      // A start takes five seconds.
      if let onSince, self.hasSky, now - onSince >= .seconds(5) {
        self.fixes += 1
        self.follow(self.daemon.fix())
      } else {
        self.fixes = 0
      }
      // gpsd gives the time away from the fourth fix on.
      self.chrony.tick(hasFix: self.fixes > 3, now: now)
      if let error = self.chrony.error(at: now) { self.worst = max(self.worst, error) }
    }
  }

  private mutating func follow(_ actions: [Action]) {
    for action in actions {
      if case .askClock = action { self.answer() }
      if case .end = action { self.ended = true }
    }
  }

  private mutating func answer() {
    let now = self.daemon.now
    self.questions.append(now)
    if var liar {
      let figure = ClockFigure(
        reference: "GPS", isReferenceClock: Bool.random(using: &liar),
        error: Bool.random(using: &liar) ? .seconds(Double.random(in: 0...0.002, using: &liar)) : nil,
        drift: [0, 1e-9, 1e-6, 1e-3, 1].randomElement(using: &liar) ?? 0,
        updated: now - .seconds(Double.random(in: 0...1000, using: &liar)), asked: now)
      let isSilent = Int.random(in: 0..<10, using: &liar) == 0
      self.liar = liar
      return self.follow(self.daemon.send(.clockReported(isSilent ? nil : figure)))
    }
    self.follow(self.daemon.send(.clockReported(self.isSilent ? nil : self.chrony.figure(at: now))))
  }
}
