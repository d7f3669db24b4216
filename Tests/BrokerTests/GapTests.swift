import Positioning
import ReceiverPorts
import TestSupport
import Testing

@testable import Broker

/// The daemon did not run for a time, because the machine slept: that is no time in which it searched or waited.
@Suite struct GapTests {
  private static let gap = 320.0

  @Test("A search that the gap interrupted goes on, and the first fix after it is delivered")
  func search() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    daemon.stream(seconds: 10)
    var actions = daemon.skip(seconds: Self.gap)
    actions += daemon.advance(by: 0)
    #expect(daemon.isReceiverOn)
    actions += daemon.advance(by: 1)
    actions += daemon.fix()
    #expect(actions.fixes().count == 1 && actions.receiverOrders.isEmpty)
  }

  @Test("A search has its patience, less what it had searched before the gap")
  func patience() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    daemon.fix()
    Self.expectOff(&daemon, 300, gapAfter: 100)
  }

  /// Expects that the receiver is off after so many seconds of running time from now on, of which the gap interrupts some,
  /// and not before.
  private static func expectOff(_ daemon: inout VirtualDaemon, _ seconds: Double, gapAfter: Double) {
    daemon.advance(by: gapAfter)
    daemon.skip(seconds: Self.gap)
    daemon.advance(by: seconds - gapAfter - 1)
    #expect(daemon.isReceiverOn)
    daemon.advance(by: 2)
    #expect(!daemon.isReceiverOn)
  }

  @Test("The gap does not count as time in which the receiver was on")
  func onTime() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters())
    daemon.stream(seconds: 10)
    daemon.skip(seconds: Self.gap)
    daemon.stream(seconds: 5)
    let power = daemon.status.power
    #expect(power.onTime == .seconds(15))
    #expect(power.starts.total == 1)
    #expect(power.periods.map { $0.until } == [at(1010), nil])
    #expect(power.periods.map { $0.from } == [at(1000), at(1010 + Self.gap)])
  }

  @Test("A start that the gap interrupted does not show how long the receiver takes")
  func interruptedStart() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(maxUpdates: 1))
    daemon.stream(seconds: 40)
    daemon.advance(by: 400)
    #expect(!daemon.isReceiverOn)
    daemon.subscribe(SubscriptionParameters(replay: .none))
    daemon.advance(by: 2)
    daemon.skip(seconds: 20)
    daemon.fix()
    #expect(daemon.machine.planner.memory.starts.starts(after: .hot) == 0)
  }

  @Test("A one-shot from before the gap is answered by the first fix after it, and has the rest of its timeout")
  func oneShot() {
    var daemon = VirtualDaemon()
    let call = daemon.call(.getFix(FixRequest(timeout: .seconds(30)))).id
    let other = daemon.call(.getFix(FixRequest(accuracy: .meters(1), timeout: .seconds(30)))).id
    daemon.advance(by: 10)
    var actions = daemon.skip(seconds: Self.gap)
    actions += daemon.advance(by: 1)
    #expect(actions.outcome(of: call) == nil)
    #expect(daemon.fix().outcome(of: call)?.status == .success)
    #expect(daemon.advance(by: 18.5).outcome(of: other) == nil)
    #expect(daemon.advance(by: 1).outcome(of: other)?.status == .timedOut)
  }

  @Test("A request for a heading and a person's answer have the rest of their time, too")
  func others() throws {
    var heading = VirtualDaemon()
    let call = heading.call(.getHeading(HeadingRequest(timeout: .seconds(30)))).id
    heading.advance(by: 10)
    heading.skip(seconds: Self.gap)
    #expect(heading.advance(by: 19.5).answers(to: call).isEmpty)
    #expect(heading.advance(by: 1).answers(to: call) == [.heading(HeadingResult())])
    var prompts = PromptQueue()
    let principal = Principal(uid: 1001, gid: 100, pid: 1, user: "ada")
    _ = try prompts.ask(
      principal, level: .whenInUse, precision: .precise, from: .notDetermined, agents: [ClientID(2)], now: at(0))
    prompts.putOff(by: .seconds(Self.gap))
    let early = prompts.deadlineReached(now: at(Self.gap + 119))
    let due = prompts.deadlineReached(now: at(Self.gap + 120))
    #expect(early.isEmpty && due == [.withdraw(ClientID(2), PromptID(1)), .resume(1001)])
  }

  @Test("The disk has its time: 5 s for a decision, 30 s for the answer of a call")
  func disk() {
    let call = CallID(client: ClientID(1), serial: 1)
    let waiter = Permissions.Waiter.enabled(Asker(call, By()), true)
    var commits = Commits(limit: 10)
    commits.store(.putEnabled(true))
    commits.follow(.answer(call, .enabled(true)))
    commits.follow(.decide(PendingDecision(subject: .masterSwitch, number: 1, waiter: waiter)))
    _ = commits.commit(now: at(0))
    commits.putOff(by: .seconds(Self.gap))
    #expect(commits.nextDeadline == at(Self.gap + 5))
    #expect(commits.takeOverdue(now: at(Self.gap + 29)).calls.isEmpty)
    #expect(commits.takeOverdue(now: at(Self.gap + 30)).calls == [call])
  }

  @Test("A probe has its time, and the next one comes when it is due")
  func probe() {
    var schedule = ProbeSchedule(lastFix: at(0), now: at(10))
    schedule.putOff(by: .seconds(Self.gap))
    #expect(schedule.nextDeadline == at(10 + 120 + Self.gap) && schedule.need == .now)
    schedule.fixed(next: .seconds(300), now: at(400))
    schedule.putOff(by: .seconds(Self.gap))
    #expect(schedule.need == .from(at(700)))
    schedule.fixed(next: .zero, now: at(700))
    #expect(schedule.need == .now && schedule.nextDeadline == at(700 + 120), "the probe continues")
  }

  @Test("A heartbeat comes after its interval of running time, and the linger lasts as long")
  func heartbeatAndLinger() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(maxInterval: .seconds(10)))
    daemon.fix()
    daemon.advance(by: 4)
    var actions = daemon.skip(seconds: Self.gap)
    actions += daemon.advance(by: 5.5)
    #expect(actions.updates().allSatisfy { !$0.isRepeat })
    #expect(daemon.advance(by: 1).updates().contains { $0.isRepeat })

    var lingering = VirtualDaemon()
    lingering.call(.getFix(FixRequest()))
    lingering.fix()
    Self.expectOff(&lingering, 60, gapAfter: 10)
  }

  @Test("What was promised for a moment, or says how old knowledge is, is not put off")
  func notPutOff() {
    var daemon = VirtualDaemon()
    daemon.subscribe(SubscriptionParameters(duration: .seconds(60)))
    daemon.subscribe(SubscriptionParameters(mode: .deferred, deferredTimeout: .seconds(60)))
    daemon.fix()
    daemon.advance(by: 1)
    var actions = daemon.skip(seconds: Self.gap)
    actions += daemon.advance(by: 0)
    #expect(actions.endings() == [.expired])
    #expect(actions.updates(of: 2).contains { $0.fixes.count == 1 && $0.reason == .timeout })
    // A fix from before the gap is none of now.
    #expect(actions.reasons(of: 2).contains(.lost))
    guard case .lastFix(let last)? = daemon.answer(.lastFix()) else {
      Issue.record("no answer")
      return
    }
    #expect(last.fix?.arrival == at(1000) && last.achievedAccuracy == .city)
  }
}
