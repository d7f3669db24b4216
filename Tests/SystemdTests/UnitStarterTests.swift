import EventLoop
import Glibc
import Positioning
import TestSupport
import Testing

@testable import Systemd

/// Starting units over a bus on which every answer, and every silence, is simulated.
@Suite("Starting a unit", .timeLimit(.minutes(TestDeadline.minutes))) struct UnitStarterTests {
  /// Long enough that any answer comes sooner, on any machine.
  private static let replyTime = Duration.seconds(4)

  /// The results of the completions, in order.
  private final class Outcomes {
    private(set) var all: [Result<Void, UnitStartError>] = []

    var reasons: [UnitStartError.Reason?] {
      self.all.map { result in
        switch result {
        case .success: nil
        case .failure(let error): error.reason
        }
      }
    }

    var words: [String] {
      self.all.map { result in
        switch result {
        case .success: "started"
        case .failure(let error): "\(error)"
        }
      }
    }

    func take(_ result: Result<Void, UnitStartError>) { self.all.append(result) }
  }

  @Test("systemd is asked to start this unit and to undo nothing for it; the queued job is the success")
  func started() async throws {
    try await withLoop { loop in
      let bus = try BusStandIn(on: loop)
      let starter = try UnitStarter(loop: loop, address: bus.address)
      let outcomes = Outcomes()
      starter.start("weather.service", completion: outcomes.take)
      try loop.drive(until: "the start") { !outcomes.all.isEmpty }
      #expect(outcomes.reasons == [nil])
      #expect(bus.starts == [BusStandIn.Start(unit: "weather.service", mode: "fail", isDemanding: false)])
    }
  }

  @Test(
    "a unit that is run has the result of its own job, as systemd announces it",
    arguments: ["done", "failed", "timeout", "canceled", "dependency", "skipped"])
  func run(result: String) async throws {
    try await withLoop { loop in
      let bus = try BusStandIn(on: loop, .runs(result: result))
      let starter = try UnitStarter(loop: loop, address: bus.address)
      let outcomes = Outcomes()
      starter.run("gps-off.service", completion: outcomes.take)
      try loop.drive(until: "the result, and the end of the connection") { !outcomes.all.isEmpty && bus.present == 0 }
      #expect(outcomes.reasons == [result == "done" ? nil : .jobFailed(result: result)])
      #expect(bus.matches.count == 1 && bus.matches.first?.contains("JobRemoved") == true)
      #expect(bus.starts.map(\.unit) == ["gps-off.service"])
    }
  }

  @Test(
    "A unit is at work while it starts or stops, or while a job for it waits, whoever started it",
    arguments: [
      ("activating", 7, true), ("deactivating", 0, true), ("reloading", 0, true), ("inactive", 7, true),
      ("activating", 0, true), ("inactive", 0, false), ("active", 0, false), ("failed", 0, false),
    ] as [(String, UInt32, Bool)])
  func atWork(active: String, job: UInt32, isBusy: Bool) async throws {
    try await withLoop { loop in
      let bus = try BusStandIn(on: loop)
      bus.states["gps-off.service"] = (active, job)
      let starter = try UnitStarter(loop: loop, address: bus.address)
      var answer: Result<Bool, UnitQuestionError>?
      starter.ask("gps-off.service") { answer = $0 }
      try loop.drive(until: "the answer, and the end of the connection") { answer != nil && bus.present == 0 }
      #expect(answer == .success(isBusy))
      #expect(bus.questions == ["gps-off.service"] && bus.starts.isEmpty)
    }
  }

  @Test("Why nobody knows whether a unit is at work is said")
  func question() async throws {
    try await withLoop { loop in
      let bus = try BusStandIn(on: loop, .fails(name: "a.b", message: "not today"))
      let starter = try UnitStarter(loop: loop, address: bus.address)
      var answers: [Result<Bool, UnitQuestionError>] = []
      starter.ask("gps-off.service") { answers.append($0) }
      try loop.drive(until: "the refusal") { !answers.isEmpty }
      let silent = try UnitStarter(loop: loop, address: "unix:path=/nonexistent/bus")
      silent.ask("gps-off.service") { answers.append($0) }
      try loop.drive(until: "the failure") { answers.count == 2 }
      let words = answers.map { answer in if case .failure(let error) = answer { "\(error)" } else { "" } }
      #expect(words[0] == "systemd did not say whether gps-off.service has ended: a.b: not today")
      #expect(words[1].hasPrefix("systemd did not say whether gps-off.service has ended: connect to "))
    }
  }

  @Test(
    "What is said of a unit is true: whether it was started, and whether it may have done something",
    arguments: [
      (.accessDenied, "was not started: ", false), (.busSilent(after: .seconds(25)), "was not started: ", false),
      (.jobFailed(result: "dependency"), "was not started: ", false),
      (.jobFailed(result: "skipped"), "was not started: ", false),
      (.jobFailed(result: "failed"), "was started, and its job ended with the result failed; ", true),
      (.jobFailed(result: "timeout"), "was started, and its job ended with the result timeout; ", true),
      (.jobEndless(after: .seconds(90)), "was started, and its job did not end within ", true),
      (.jobFailed(result: "canceled"), "may not have been started: ", true),
      (.connectionBroken, "may not have been started: ", true),
      (.noReply(after: .seconds(25)), "may not have been started: ", true),
    ] as [(UnitStartError.Reason, String, Bool)])
  func words(reason: UnitStartError.Reason, words: String, mayHaveRun: Bool) {
    let error = UnitStartError(unit: "off.service", reason: reason)
    #expect("\(error)".hasPrefix("off.service \(words)"), "\(error)")
    #expect(error.mayHaveRun == mayHaveRun)
  }

  @Test("a job that does not end is waited for no longer than is allowed")
  func endless() async throws {
    try await withLoop { loop in
      let bus = try BusStandIn(on: loop)
      let starter = try UnitStarter(loop: loop, address: bus.address, jobTime: .milliseconds(50))
      let outcomes = Outcomes()
      starter.run("gps-off.service", completion: outcomes.take)
      try loop.drive(until: "the end of the wait") { !outcomes.all.isEmpty }
      #expect(outcomes.reasons == [.jobEndless(after: .milliseconds(50))])
    }
  }

  @Test("There is no connection before the first start, nor after the last reply")
  func connection() async throws {
    try await withLoop { loop in
      let bus = try BusStandIn(on: loop)
      let starter = try UnitStarter(loop: loop, address: bus.address)
      let outcomes = Outcomes()
      for count in 1...3 {
        #expect(bus.connections == count - 1)
        starter.start("a.service", completion: outcomes.take)
        try loop.drive(until: "start \(count), and the end of its connection") {
          outcomes.all.count == count && bus.connections == count && bus.present == 0
        }
      }
      #expect(outcomes.reasons == [nil, nil, nil])
    }
  }

  @Test("Starts that wait at one time share a connection")
  func shared() async throws {
    try await withLoop { loop in
      let bus = try BusStandIn(on: loop)
      let starter = try UnitStarter(loop: loop, address: bus.address)
      let outcomes = Outcomes()
      for number in 0..<50 { starter.start("a@\(number).service", completion: outcomes.take) }
      try loop.drive(until: "all starts") { outcomes.all.count == 50 && bus.present == 0 }
      #expect(bus.connections == 1)
      #expect(bus.starts.map(\.unit) == (0..<50).map { "a@\($0).service" })
    }
  }

  @Test(
    "Each refusal has a reason of its own, and a text with the remedy",
    arguments: [
      ("org.freedesktop.DBus.Error.AccessDenied", .accessDenied, "positiond-wake.rules"),
      ("org.freedesktop.DBus.Error.InteractiveAuthorizationRequired", .accessDenied, "list a.service in it"),
      ("org.freedesktop.systemd1.NoSuchUnit", .noSuchUnit, "there is no such unit"),
      ("org.freedesktop.systemd1.UnitMasked", .masked, "systemctl unmask a.service"),
      ("org.freedesktop.systemd1.OnlyByDependency", .onlyByDependency, "RefuseManualStart"),
      ("org.freedesktop.systemd1.TransactionIsDestructive", .conflictingJob, "the next event tries again"),
      ("org.freedesktop.DBus.Error.ServiceUnknown", .noSystemd, "systemctl status dbus"),
      ("org.freedesktop.DBus.Error.NameHasNoOwner", .noSystemd, "systemctl status dbus"),
      ("org.freedesktop.DBus.Error.NoReply", .noSystemd, "left it before it answered"),
      (
        "org.freedesktop.systemd1.LoadFailed",
        .refused(name: "org.freedesktop.systemd1.LoadFailed", message: "as systemd says"),
        "org.freedesktop.systemd1.LoadFailed: as systemd says"
      ),
    ] as [(String, UnitStartError.Reason, String)])
  func refused(name: String, reason: UnitStartError.Reason, words: String) async throws {
    try await withLoop { loop in
      let bus = try BusStandIn(on: loop, .fails(name: name, message: "as systemd says"))
      let starter = try UnitStarter(loop: loop, address: bus.address)
      let outcomes = Outcomes()
      starter.start("a.service", completion: outcomes.take)
      try loop.drive(until: "the refusal") { !outcomes.all.isEmpty }
      #expect(outcomes.reasons == [reason])
      #expect(outcomes.words.first?.hasPrefix("a.service was not started: ") == true)
      #expect(outcomes.words.first?.contains(words) == true, "\(outcomes.words)")
    }
  }

  @Test(
    "A missing bus is reported in the next turn, never inside the call",
    arguments: ["unix:path=/nonexistent/bus", "nonsense", ""])
  func noBus(address: String) async throws {
    try await withLoop { loop in
      let starter = try UnitStarter(loop: loop, address: address)
      let outcomes = Outcomes()
      starter.start("a.service", completion: outcomes.take)
      #expect(outcomes.all.isEmpty)
      try loop.drive(until: "the failure") { !outcomes.all.isEmpty }
      #expect(outcomes.words.first?.contains("the system bus cannot be reached (connect to \(address): ") == true)
      #expect(outcomes.words.first?.contains("systemctl status dbus.socket") == true)
    }
  }

  @Test("A bus that connects and never greets is given up, and the next start tries again")
  func silentBus() async throws {
    try await withLoop { loop in
      let bus = try BusStandIn(on: loop)
      bus.greets = false
      let starter = try UnitStarter(loop: loop, address: bus.address, replyTime: Self.replyTime)
      let outcomes = Outcomes()
      starter.start("a.service", completion: outcomes.take)
      try loop.drive(until: "the end of the timeout") { !outcomes.all.isEmpty }
      #expect(outcomes.reasons == [.busSilent(after: Self.replyTime)])
      bus.greets = true
      starter.start("b.service", completion: outcomes.take)
      try loop.drive(until: "the start") { outcomes.all.count == 2 }
      #expect(bus.starts.map(\.unit) == ["b.service"], "what was reported as failed is not started later")
    }
  }

  @Test("A call that gets no reply is given up, and its connection is not used again")
  func silentManager() async throws {
    try await withLoop { loop in
      let bus = try BusStandIn(on: loop, .staysSilent)
      let starter = try UnitStarter(loop: loop, address: bus.address, replyTime: Self.replyTime)
      let outcomes = Outcomes()
      starter.start("a.service", completion: outcomes.take)
      try loop.drive(until: "the first call") { bus.starts.count == 1 }
      starter.start("b.service", completion: outcomes.take)
      try loop.drive(until: "the end of the timeout") { outcomes.all.count == 2 && bus.present == 0 }
      #expect(outcomes.reasons == [.noReply(after: Self.replyTime), .noReply(after: Self.replyTime)])
      #expect(outcomes.words.first?.contains("may start it yet") == true)
      #expect(bus.connections == 1)
      bus.conduct = .starts
      starter.start("c.service", completion: outcomes.take)
      try loop.drive(until: "the start") { outcomes.all.count == 3 }
      #expect(bus.connections == 2)
    }
  }

  @Test("A connection without a reply to one call takes no further call, though others still wait on it")
  func retired() async throws {
    try await withLoop { loop in
      let bus = try BusStandIn(on: loop, .staysSilent)
      let starter = try UnitStarter(loop: loop, address: bus.address, replyTime: Self.replyTime)
      let outcomes = Outcomes()
      starter.start("a.service") { _ in
        bus.conduct = .starts
        starter.start("c.service", completion: outcomes.take)
      }
      try loop.drive(until: "the first call") { bus.starts.count == 1 }
      starter.start("b.service", completion: outcomes.take)
      try loop.drive(until: "the other two") { outcomes.all.count == 2 }
      #expect(bus.starts.map(\.unit) == ["a.service", "b.service", "c.service"])
      #expect(bus.connections == 2)
      #expect(outcomes.reasons.contains(.noReply(after: Self.replyTime)))
    }
  }

  @Test("A silent bus does not block the loop")
  func neverBlocks() async throws {
    try await withLoop { loop in
      let bus = try BusStandIn(on: loop)
      bus.greets = false
      let starter = try UnitStarter(loop: loop, address: bus.address, replyTime: TestDeadline.duration)
      let before = Clocks.system.sinceBoot()
      starter.start("a.service") { _ in }
      try loop.drive(until: "the connection") { bus.connections == 1 }
      #expect(Clocks.system.sinceBoot() - before < TestDeadline.duration)
    }
  }

  @Test("A bus that dies during a call is reported at once, to all waiting calls")
  func dyingBus() async throws {
    try await withLoop { loop in
      let bus = try BusStandIn(on: loop, .staysSilent)
      let starter = try UnitStarter(loop: loop, address: bus.address)
      let outcomes = Outcomes()
      starter.start("a.service", completion: outcomes.take)
      starter.start("b.service", completion: outcomes.take)
      try loop.drive(until: "both calls") { bus.starts.count == 2 }
      bus.die()
      try loop.drive(until: "both failures") { outcomes.all.count == 2 }
      #expect(outcomes.reasons == [.connectionBroken, .connectionBroken])
      #expect(outcomes.words.first?.contains("`systemctl status a.service`") == true)
      // Another bus at its address is not on the old connection.
      starter.start("c.service", completion: outcomes.take)
      try loop.drive(until: "the failure") { outcomes.all.count == 3 }
      #expect(outcomes.words.last?.contains("cannot be reached") == true)
    }
  }

  @Test("A bus that dies before it greets, or while it answers, is reported as well", arguments: [true, false])
  func dyingEarly(greets: Bool) async throws {
    try await withLoop { loop in
      let bus = try BusStandIn(on: loop, .dies)
      bus.greets = greets
      let starter = try UnitStarter(loop: loop, address: bus.address)
      let outcomes = Outcomes()
      starter.start("a.service", completion: outcomes.take)
      if !greets {
        try loop.drive(until: "the connection") { bus.connections == 1 }
        bus.die()
      }
      try loop.drive(until: "the failure") { !outcomes.all.isEmpty }
      #expect(outcomes.reasons == [.connectionBroken])
    }
  }

  @Test("A completion may start another unit, and release the starter")
  func reentrance() async throws {
    try await withLoop { loop in
      let bus = try BusStandIn(on: loop)
      let outcomes = Outcomes()
      var starter: UnitStarter? = try UnitStarter(loop: loop, address: bus.address)
      starter?.start("a.service") { result in
        outcomes.take(result)
        starter?.start("b.service") { result in
          outcomes.take(result)
          starter = nil
        }
      }
      try loop.drive(until: "both") { starter == nil && bus.present == 0 }
      #expect(outcomes.reasons == [nil, nil])
      let missing = try UnitStarter(loop: loop, address: "unix:path=/nonexistent")
      missing.start("a.service") { _ in missing.start("b.service", completion: outcomes.take) }
      try loop.drive(until: "the second failure") { outcomes.all.count == 3 }
    }
  }

  @Test("Releasing the starter closes the connection, and no completion is called")
  func dropped() async throws {
    try await withLoop { loop in
      let bus = try BusStandIn(on: loop, .staysSilent)
      let outcomes = Outcomes()
      var starter: UnitStarter? = try UnitStarter(loop: loop, address: bus.address)
      starter?.start("a.service", completion: outcomes.take)
      try loop.drive(until: "the call") { bus.starts.count == 1 }
      starter = nil
      try loop.drive(until: "the end of the connection") { bus.present == 0 }
      #expect(outcomes.all.isEmpty)
    }
  }

  @Test("The address of the system's bus is that of the environment, or the default")
  func systemBus() async {
    await #expect(processExitsWith: .success) {
      unsafe unsetenv("DBUS_SYSTEM_BUS_ADDRESS")
      #expect(BusConnection.systemBus == "unix:path=/run/dbus/system_bus_socket")
      unsafe setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus", 1)
      #expect(BusConnection.systemBus == "unix:path=/nonexistent/bus")
    }
  }

  @Test(
    "The document has every reason, with the log's text",
    arguments: [
      (.accessDenied, "polkit does not let positiond start it"), (.noSuchUnit, "there is no such unit"),
      (.masked, "it is masked"), (.onlyByDependency, "its file says RefuseManualStart=yes"),
      (.conflictingJob, "systemd is about to do something else that this would undo"),
      (.noBus(SystemError(code: ENOENT, call: "connect")), "the system bus cannot be reached"),
      (.busSilent(after: .seconds(25)), "the system bus did not answer"),
      (.connectionBroken, "the connection to the system bus broke"),
      (.noSystemd, "systemd is not on the system bus"), (.noReply(after: .seconds(25)), "systemd did not answer"),
      (.refused(name: "a.b", message: "c"), "systemd refused with"),
    ] as [(UnitStartError.Reason, String)])
  func documented(reason: UnitStartError.Reason, words: String) throws {
    #expect(UnitStartError(unit: "a.service", reason: reason).description.contains(words))
    let file = try FileDescriptor(adopting: unsafe open("\(PackageRoot.path)/docs/wake.md", O_RDONLY | O_CLOEXEC))
    var document: [UInt8] = []
    _ = try file.read(into: &document, upTo: 1 << 20)
    #expect(String(decoding: document, as: UTF8.self).contains("| \(words)"))
  }
}
