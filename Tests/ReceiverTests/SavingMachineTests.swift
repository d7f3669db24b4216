import Positioning
import ReceiverPorts
import Testing
import UBX

@testable import Receiver
@testable import ReceiverSimulator

/// How a u-blox works while it is on: a simulated one, and what is reported of it, in virtual time.
@Suite struct SavingMachineTests {
  private struct Run {
    private static let device = "/dev/ttyACM0"
    private(set) var now = Instant(sinceBoot: .seconds(1000))
    private(set) var model: ReceiverModel
    private var machine = SavingMachine(device: nil)
    /// The radius of 68 % that its fixes have; `nil`: it has none.
    var accuracy: Double? = 3
    var isDeaf = false
    var refusal: String?
    private(set) var reports: [PowerSaving] = []
    private(set) var log: [String] = []
    private(set) var writes = 0

    init(isOld: Bool = false, left mode: UBXPowerMode = .full) {
      var settings = ReceiverModel.Settings(kind: .ublox, firstStart: .ready, keepsRunning: true)
      settings.isOld = isOld
      self.model = ReceiverModel(settings: settings, at: self.now)
      _ = self.model.received(mode.frame.bytes, at: self.now)
      self.plug(true)
    }

    mutating func plug(_ isPlugged: Bool) {
      let device = ReceiverDevice(path: Self.device, driver: "u-blox", isActivated: true)
      self.send(.devices(isPlugged ? [device] : []))
    }

    mutating func send(_ event: SavingMachine.Event) {
      for action in self.machine.received(event, now: self.now) {
        switch action {
        case .write(let bytes):
          self.writes += 1
          if let refusal { return self.send(.refused(refusal)) }
          guard !self.isDeaf else { continue }
          let answer = self.model.received(bytes, at: self.now)
          for frame in UBXFrame.sequence(answer).frames
          where UBXPowerMode.isAnswer(frame.messageClass, frame.identifier) {
            self.send(.packet(frame))
          }
        case .report(let saving): self.reports.append(saving)
        case .log(_, let message): self.log.append(message.text)
        case .askForPackets: break
        }
      }
    }

    /// A session that somebody needs, whose needs allow this.
    mutating func begin(_ allowance: SavingAllowance) {
      self.send(.needed(true))
      self.send(.source(.streaming))
      self.send(.allowed(allowance))
    }

    mutating func pass(_ seconds: Int) {
      for _ in 0..<seconds {
        self.now = self.now + .seconds(1)
        if let deadline = self.machine.nextDeadline, deadline <= self.now { self.send(.deadlineReached) }
        var report = PositionReport(
          device: Self.device, mode: self.accuracy == nil ? .noFix : .threeDimensional, arrival: self.now)
        if let accuracy { (report.latitude, report.longitude, report.eph) = (50, 8, accuracy) }
        self.send(.report(report))
      }
    }

    var mode: UBXPowerMode { self.model.powerMode }

    /// One that has saved power for a while.
    static func saving(_ allowance: SavingAllowance = .coarse) -> Run {
      var run = Run()
      run.begin(allowance)
      run.pass(40)
      return run
    }
  }

  @Test(arguments: [
    (SavingAllowance.balanced, UBXPowerMode.balanced, PowerSaving.balanced),
    (.fine, .oneHertz, .oneHertz), (.coarse, .oneHertz, .oneHertz),
  ])
  func `after half a minute of good fixes it saves what is allowed, and says so`(
    allowance: SavingAllowance, mode: UBXPowerMode, reported: PowerSaving
  ) {
    var run = Run()
    run.begin(allowance)
    run.pass(30)
    #expect(run.mode == .full && run.reports.isEmpty)
    run.pass(1)
    #expect(run.mode == mode && run.reports == [reported])
    let writes = run.writes
    run.pass(3600)
    #expect(run.writes == writes, "nothing is written without a change")
  }

  @Test func `it works at full power as soon as somebody asks for more, and saves again half a minute later`() {
    var run = Run.saving()
    run.send(.allowed(.none))
    #expect(run.mode == .full && run.reports.last == .full)
    run.pass(100)
    run.send(.allowed(.coarse))
    run.pass(29)
    #expect(run.mode == .full)
    run.pass(2)
    #expect(run.mode == .oneHertz)
  }

  @Test func `fixes that get worse than was asked for end it for five minutes, and then for ten`() {
    var run = Run.saving(.fine)
    run.accuracy = 16
    run.pass(1)
    #expect(run.mode == .full)
    run.accuracy = 3
    run.pass(298)
    #expect(run.mode == .full)
    run.pass(4)
    #expect(run.mode == .oneHertz)
    run.accuracy = 16
    run.pass(1)
    run.accuracy = 3
    run.pass(590)
    #expect(run.mode == .full)
  }

  @Test func `what gpsd refused to write of something else does not end it`() {
    var run = Run.saving()
    run.send(.refused("the line is too long"))
    #expect(run.reports.last == .oneHertz && run.log.allSatisfy { !$0.contains("saves no power") })
    run.pass(600)
    #expect(run.mode == .oneHertz)
  }

  @Test func `fixes that were never good enough do not begin it`() {
    var run = Run()
    run.accuracy = 20
    run.begin(.fine)
    run.pass(600)
    #expect(run.mode == .full)
    run.send(.allowed(.coarse))
    run.pass(40)
    #expect(run.mode == .oneHertz)
  }

  @Test func `a search is at full power`() {
    var run = Run.saving()
    run.accuracy = nil
    run.pass(1)
    #expect(run.mode == .full)
    run.accuracy = 3
    run.pass(40)
    #expect(run.mode == .oneHertz)
  }

  @Test func `before it is stopped it gets full power, and its next start is at that`() {
    var run = Run.saving()
    run.send(.needed(false))
    #expect(run.mode == .full && run.reports.last == .full)
  }

  @Test func `one that an earlier daemon left saving gets full power`() {
    var run = Run(left: .oneHertz)
    run.begin(.none)
    #expect(run.mode == .full)
  }

  @Test func `one that refuses it stays at full power, that is reported, and it is not asked again`() {
    var run = Run(isOld: true)
    run.begin(.coarse)
    run.pass(100)
    #expect(run.reports == [.impossible] && run.log.last?.contains("the receiver refuses UBX-CFG-PMS") == true)
    let writes = run.writes
    run.send(.source(.idle))
    run.begin(.coarse)
    run.pass(100)
    #expect(run.writes == writes && run.reports == [.impossible])
    run.plug(false)
    run.plug(true)
    run.pass(1)
    #expect(run.writes > writes, "another one may be able to")
  }

  @Test func `of one that does not answer nothing is claimed`() {
    var run = Run()
    run.isDeaf = true
    run.begin(.coarse)
    run.pass(14)
    #expect(run.reports.isEmpty)
    run.pass(2)
    #expect(run.reports == [.impossible] && run.writes == 3)
    #expect(run.log.last?.contains("the receiver does not confirm UBX-CFG-PMS") == true)
  }

  @Test func `one that loses a command gets it again`() {
    var run = Run()
    run.begin(.coarse)
    run.pass(29)
    run.isDeaf = true
    run.pass(4)
    run.isDeaf = false
    run.pass(6)
    #expect(run.mode == .oneHertz && run.reports == [.oneHertz])
  }

  @Test func `a gpsd that does not write is reported`() {
    var run = Run()
    run.refusal = "it opens devices for reading only"
    run.begin(.coarse)
    #expect(run.reports == [.impossible])
    #expect(run.log.last?.hasSuffix("gpsd does not write to the receiver: it opens devices for reading only") == true)
  }

  @Test func `an answer to another host changes nothing`() {
    var run = Run.saving()
    let reports = run.reports
    run.send(.packet(UBXPowerMode(setup: 4).frame))
    run.send(.packet(UBXPowerMode.refusal))
    run.pass(10)
    #expect(run.reports == reports && run.mode == .oneHertz)
  }

  @Test func `the receiver's record has what it drew`() {
    let run = Run.saving()
    let log = run.model.powerLog
    #expect(log.time(.tracking, until: run.now) == .seconds(31) && log.time(.saving, until: run.now) == .seconds(9))
  }
}
