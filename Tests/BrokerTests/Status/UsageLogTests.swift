import Positioning
import TestSupport
import Testing

@testable import Broker

/// What the log says of users who are given positions.
struct UsageLogTests {
  private let ada = DaemonStatus.InUse(uid: 1000, user: "ada", unit: "cron.service", programs: [], since: .boot)

  private static func texts(_ messages: [LogMessage]) -> [String] { messages.map(\.text) }

  @Test func `a program that asks each minute has one line an hour, and each time is in one`() {
    var log = UsageLog()
    var lines: [String] = []
    for minute in 0..<1440 {
      let now = Instant.boot + .seconds(60 * minute)
      lines += Self.texts(log.due(now: now, isStopping: false))
      lines += Self.texts(log.began(self.ada, now: now))
      lines += Self.texts(log.ended(self.ada, now: now + .seconds(10)))
    }
    lines += Self.texts(log.due(now: .boot + .seconds(86_400), isStopping: true))
    #expect(lines.count == 25, "\(lines)")
    #expect(lines.first == "user ada (cron.service) is being given the position")
    #expect(lines[1] == "user ada (cron.service) was given the position 59 times more since the last line about it")
    let times = lines.dropFirst().compactMap { $0.split(separator: " ").compactMap { Int($0) }.first }.reduce(1, +)
    #expect(times == 1440)
  }

  @Test func `the end of a use is a line only after an hour`() {
    var log = UsageLog()
    let hour = Instant.boot + UsageLog.pause
    #expect(log.began(self.ada, now: .boot).count == 1)
    #expect(log.ended(self.ada, now: .boot + .seconds(60)).isEmpty)
    #expect(log.due(now: hour, isStopping: false).isEmpty)
    #expect(log.began(self.ada, now: hour + .seconds(1)).count == 1)
    #expect(log.due(now: hour + .seconds(8 * 3600), isStopping: false).isEmpty)
    let end = Self.texts(log.ended(self.ada, now: hour + .seconds(8 * 3600)))
    #expect(end == ["user ada (cron.service) is not given the position any more"])
  }

  @Test func `units and users have lines of their own, and one too many makes the first one's come early`() {
    var log = UsageLog()
    for number in 0..<UsageLog.maximum {
      var other = self.ada
      other.unit = "\(number).service"
      #expect(log.began(other, now: .boot).count == 1)
      #expect(log.began(other, now: .boot).isEmpty)
    }
    let lines = Self.texts(log.began(self.ada, now: .boot + .seconds(1)))
    #expect(
      lines == [
        "user ada (0.service) was given the position once more since the last line about it",
        "user ada (cron.service) is being given the position",
      ])
    #expect(log.due(now: .boot, isStopping: true).count == UsageLog.maximum - 1)
  }

  @Test func `a request causes one line at most, and what follows is summed up when the daemon stops`() {
    var daemon = VirtualDaemon(settings: .open)
    var logged: [LogKind] = []
    for _ in 0..<30 {
      var actions = daemon.call(.getFix(FixRequest(maximumAge: .zero))).actions
      actions += daemon.advance(by: 1)
      actions += daemon.fix()
      actions += daemon.advance(by: 59)
      logged += actions.logKinds
    }
    #expect(logged.filter { $0.level <= .info } == [.positionsGiven])
    let sum = daemon.send(.stopping).compactMap {
      if case .log(.positionsGiven, let message) = $0 { message.text } else { nil }
    }
    #expect(sum == ["user user1001 was given the position 29 times more since the last line about it"])
  }

  @Test func `calls that are refused for want of permission are counted, and no others`() {
    var settings = BrokerSettings.open
    settings.access.fallback = .deny
    var daemon = VirtualDaemon(settings: settings)
    for _ in 0..<3 { daemon.call(.getFix(FixRequest())) }
    daemon.call(.cancelSubscription(number: 7))
    #expect(daemon.status.denials == 3)
  }
}

extension [Action] {
  fileprivate var logKinds: [LogKind] {
    self.compactMap { if case .log(let kind, _) = $0 { kind } else { nil } }
  }
}
