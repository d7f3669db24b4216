import Positioning
import Systemd
import Testing

@testable import DesktopPrompts

/// How a person is asked, without a bus and without positiond.
struct PromptMachineTests {
  private static let gtk = "\(PortalBackends.prefix)gtk"
  private static let kde = "\(PortalBackends.prefix)kde"
  private static let server = ":1.5"

  /// A machine, and what it has under way.
  private struct World {
    var machine = PromptMachine(desktops: ["KDE"], process: 7)
    /// The call that was made last, and its number.
    private(set) var number: PromptMachine.CallNumber = 0
    private(set) var call: PromptMachine.Call?
    private(set) var actions: [PromptMachine.Action] = []

    mutating func handle(_ event: PromptMachine.Event) {
      self.actions = self.machine.handle(event)
      self.call = nil
      for case .call(let number, let call) in self.actions { (self.number, self.call) = (number, call) }
    }

    var member: String? { self.call?.method.member }

    mutating func reply(_ values: BusValue..., from sender: String = PromptMachineTests.server) {
      self.handle(.replied(self.number, .returned(BusReturn(values: values, sender: sender))))
    }

    mutating func fail(_ message: String = "it does not run") {
      self.handle(.replied(self.number, .failed(BusError(.failed, message))))
    }

    /// A prompt that begins with the search for services.
    mutating func ask(
      _ number: Int = 1, _ prompt: PermissionPrompt = PromptMachineTests.prompt(), running: [String] = [],
      startable: [String] = []
    ) {
      self.handle(.asked(number, prompt))
      #expect(self.member == "ListNames")
      self.reply(.strings(running))
      #expect(self.member == "ListActivatableNames")
      self.reply(.strings(startable))
    }

    /// A prompt that is shown as the notification 9.
    mutating func notified(_ prompt: PermissionPrompt = PromptMachineTests.prompt()) {
      self.ask(1, prompt)
      self.reply(.strings(["actions"]))
      self.reply(.uint32(9))
      #expect(self.actions.isEmpty)
    }
  }

  private static func prompt(
    _ level: AuthorizationLevel = .whenInUse, _ precision: Precision = .precise
  ) -> PermissionPrompt {
    PermissionPrompt(
      principal: Principal(uid: 1000, pid: 4242, user: "ada", name: "map", purpose: "shows the way"), level: level,
      precision: precision)
  }

  private static let granted = PromptAnswer.allow(level: .whenInUse, precision: .precise)

  @Test
  func `the desktop's own backend is asked first, then GTK's, then others that run; foreign ones are not started`() {
    let names = ["wlr", "gtk", "gnome", "kde", "xapp"].map { PortalBackends.prefix + $0 }
    let order = { (running: [String], desktops: [String]) in
      PortalBackends.ordered(running: running, startable: names, desktops: desktops)
        .map { $0.dropFirst(PortalBackends.prefix.count) }
    }
    #expect(order([], ["ubuntu", "GNOME"]) == ["gnome", "gtk"])
    #expect(order(["org.example", names[4], names[0]], ["KDE"]) == ["kde", "gtk", "wlr", "xapp"])
    #expect(order([names[1]], []) == ["gtk"])
    #expect(PortalBackends.ordered(running: [":1.1"], startable: ["org.example"], desktops: ["KDE"]) == [])
  }

  @Test func `a dialog's answer is the prompt's answer`() {
    var world = World()
    world.ask(running: [Self.kde])
    #expect(world.member == "AccessDialog" && world.call?.method.destination == Self.kde)
    // The person may think as long as the prompt is open.
    #expect(world.call?.startsService == true && world.call?.limit == nil)
    #expect(!world.actions.contains(.followNotifications(true)))
    world.reply(.uint32(0), .properties([:]))
    #expect(world.actions == [.answer(1, Self.granted)])
  }

  @Test(
    arguments: [
      ([], .allow(level: .whenInUse, precision: .precise)),
      ([.reduced], .allow(level: .whenInUse, precision: .reduced)),
      ([.once], .allow(level: .whenInUse, precision: .precise, remember: false)),
      ([.always], .allow(level: .always, precision: .precise)),
      ([.reduced, .once, .always], .allow(level: .always, precision: .reduced, remember: false)),
    ] as [(Set<DesktopChoice>, PromptAnswer)])
  func `the ticked boxes of a dialog count in every form in which backends send them`(
    chosen: Set<DesktopChoice>, answer: PromptAnswer
  ) {
    let boxes = DesktopChoice.allCases.map { ($0.rawValue, BusValue.string(chosen.contains($0) ? "true" : "false")) }
    let forms: [[String: BusValue]] = [
      ["choices": .array(of: "(ss)", boxes.map { .structure([.string($0.0), $0.1]) })],
      ["choices": .properties(Dictionary(uniqueKeysWithValues: boxes))],
      Dictionary(uniqueKeysWithValues: boxes),
    ]
    for form in forms {
      #expect(AccessDialog.outcome([.uint32(0), .properties(form)], to: Self.prompt(.always)) == .answered(answer))
    }
  }

  @Test func `a dialog offers no more than the prompt leaves, and no answer grants more`() {
    let modest = Self.prompt(.whenInUse, .reduced)
    #expect(DesktopChoice.choices(of: modest) == [.once])
    #expect(DesktopChoice.choices(of: Self.prompt(.always)) == [.reduced, .once, .always])
    let everything = Set(DesktopChoice.allCases)
    #expect(
      PromptAnswer(allowing: modest, everything) == .allow(level: .whenInUse, precision: .reduced, remember: false))
    #expect(PromptNotification.answer("always", to: modest) == nil)
    #expect(PromptNotification.answer("reduced", to: modest) == nil)
  }

  @Test func `a denied dialog denies, and a closed one decides nothing`() {
    let prompt = Self.prompt()
    #expect(AccessDialog.outcome([.uint32(1), .properties([:])], to: prompt) == .answered(.deny()))
    for other: UInt32 in [2, 3, .max] {
      #expect(AccessDialog.outcome([.uint32(other), .properties([:])], to: prompt) == .dismissed)
    }
    var world = World()
    world.ask(running: [Self.kde])
    world.reply(.uint32(2), .properties([:]))
    #expect(world.actions == [.dismiss(1)])
  }

  @Test(
    arguments: [
      [], [.uint32(0)], [.string("0"), .properties([:])], [.uint32(0), .string("")],
      [.uint32(0), .properties([:]), .uint32(0)],
    ] as [[BusValue]])
  func `an answer that is none grants nothing, and the next way is tried`(values: [BusValue]) {
    var world = World()
    world.ask(running: [Self.kde, Self.gtk])
    world.handle(.replied(world.number, .returned(BusReturn(values: values, sender: nil))))
    #expect(world.member == "AccessDialog" && world.call?.method.destination == Self.gtk)
    #expect(world.actions.count == 1)
  }

  @Test func `if no backend can show a dialog, a notification is shown`() {
    var world = World()
    world.ask(running: [Self.kde], startable: [Self.gtk])
    world.fail("there is no such interface")
    #expect(world.call?.method.destination == Self.gtk)
    world.fail()
    #expect(world.member == "GetCapabilities" && world.call?.startsService == true)
    // Signals are followed before anything is shown.
    #expect(world.actions.first == .followNotifications(true))
    world.reply(.strings(["body", "actions"]))
    #expect(world.member == "Notify")
    world.reply(.uint32(9))
    world.handle(.pressed("allow", on: 9, of: Self.server))
    #expect(world.actions.contains(.answer(1, Self.granted)) && world.actions.contains(.followNotifications(false)))
    #expect(world.member == "CloseNotification" && world.call?.arguments == [.uint32(9)])
  }

  @Test(arguments: [
    ("allow", PromptAnswer.allow(level: .whenInUse, precision: .precise)),
    ("reduced", .allow(level: .whenInUse, precision: .reduced)),
    ("once", .allow(level: .whenInUse, precision: .precise, remember: false)),
    ("always", .allow(level: .always, precision: .precise)), ("deny", .deny()),
  ])
  func `each button of a notification has its answer`(key: String, answer: PromptAnswer) {
    var world = World()
    world.notified(Self.prompt(.always))
    world.handle(.pressed(key, on: 9, of: Self.server))
    #expect(world.actions.contains(.answer(1, answer)))
  }

  @Test func `only the notification itself answers`() {
    var world = World()
    world.notified()
    let others: [PromptMachine.Event] = [
      .pressed("allow", on: 8, of: Self.server), .pressed("allow", on: 9, of: ":1.6"),
      .pressed("allow", on: 9, of: nil),
      .pressed("default", on: 9, of: Self.server), .pressed("always", on: 9, of: Self.server),
      .closed(8, of: Self.server), .closed(9, of: ":1.6"), .notificationsLost(of: ":1.6"),
      .replied(world.number, .returned(BusReturn(values: [.uint32(9)], sender: Self.server))),
    ]
    for event in others {
      world.handle(event)
      #expect(world.actions.isEmpty, "\(event)")
    }
    world.handle(.closed(9, of: Self.server))
    #expect(world.actions.contains(.dismiss(1)))
  }

  @Test func `without any way to ask, the reason is logged and positiond gets an error`() throws {
    for way in 0..<3 {
      var world = World()
      world.ask(running: [Self.kde])
      world.fail("no dialogs")
      if way == 0 { world.fail("no service") }
      if way == 1 { world.reply(.strings(["body"])) }
      if way == 2 {
        world.reply(.strings(["actions"]))
        world.fail("too many")
      }
      let reasons = world.actions.compactMap { if case .fail(1, let reason) = $0 { reason } else { nil } }
      let reason = try #require(reasons.first)
      #expect(reason.contains("\(Self.kde): no dialogs") && reason.contains(PromptNotification.service), "\(reason)")
      #expect(world.actions.contains { if case .log(.warning, _) = $0 { true } else { false } })
      #expect(world.actions.contains(.followNotifications(false)))
    }
  }

  @Test func `a service that dies during a prompt leaves an error, not an answer`() {
    var world = World()
    world.notified()
    world.handle(.notificationsLost(of: Self.server))
    #expect(world.actions.contains { if case .fail(1, _) = $0 { true } else { false } })
    // A dialog's backend: the bus answers in its place, and the notification is next.
    world = World()
    world.ask(running: [Self.kde])
    world.fail("Message recipient disconnected from message bus without replying")
    #expect(world.member == "GetCapabilities")
  }

  @Test func `a withdrawn prompt disappears at whatever stage it is`() {
    var world = World()
    world.handle(.asked(1, Self.prompt()))
    let first = world.number
    world.handle(.withdrawn(1))
    #expect(world.actions == [.release(first)])

    world.ask(2, running: [Self.kde])
    let (dialog, call) = (world.number, world.call)
    world.handle(.withdrawn(2))
    #expect(world.actions.first == .release(dialog))
    #expect(world.member == "Close" && world.call?.method.interface == AccessDialog.requestInterface)
    #expect(call?.arguments.first == world.call.map { .objectPath($0.method.path) })
    // The backend's late answer changes nothing.
    world.handle(.replied(dialog, .returned(BusReturn(values: [.uint32(0), .properties([:])], sender: nil))))
    #expect(world.actions.isEmpty)

    world.notified()
    world.handle(.withdrawn(1))
    #expect(world.member == "CloseNotification" && world.call?.arguments == [.uint32(9)])
    world.handle(.pressed("allow", on: 9, of: Self.server))
    #expect(world.actions.isEmpty)
  }

  @Test func `a notification that was withdrawn before it had a number is closed when it has one`() {
    var world = World()
    world.ask()
    world.reply(.strings(["actions"]))
    #expect(world.member == "Notify")
    world.handle(.withdrawn(1))
    #expect(world.actions == [.followNotifications(false)])
    world.reply(.uint32(9))
    #expect(world.member == "CloseNotification" && world.call?.arguments == [.uint32(9)])
  }

  @Test func `prompts are shown one after the other, and one that was withdrawn meanwhile never`() {
    var world = World()
    world.ask(1, running: [Self.kde])
    let dialog = world.number
    for number in 2...3 {
      world.handle(.asked(number, Self.prompt()))
      #expect(world.actions.isEmpty)
    }
    world.handle(.withdrawn(2))
    #expect(world.actions.isEmpty)
    world.handle(.replied(dialog, .returned(BusReturn(values: [.uint32(1), .properties([:])], sender: nil))))
    #expect(world.actions.first == .answer(1, .deny()) && world.member == "ListNames")
    world.reply(.strings([Self.kde]))
    world.reply(.strings([]))
    world.reply(.uint32(0), .properties([:]))
    #expect(world.actions == [.answer(3, Self.granted)])
  }

  @Test func `the end removes what is shown, and begins nothing`() {
    var world = World()
    world.ask(1, running: [Self.kde])
    world.handle(.asked(2, Self.prompt()))
    world.handle(.stopped)
    #expect(world.member == "Close" && world.actions.count == 2)
  }

  @Test func `the kernel's facts come first, and the program's own words are marked`() {
    let text = DesktopText(Self.prompt())
    #expect(text.question == "Allow programs run by ada to know where this device is?")
    #expect(
      text.facts == """
        user: ada (1000)
        unit: unknown, or not a system service
        process: 4242
        asks for: the position while connected, precise
        """)
    #expect(
      text.ownWords == """
        The program's own words, which may be false:
        name: "map"
        purpose: "shows the way"
        """)
    let silent = PermissionPrompt(principal: Principal(uid: 1000))
    #expect(DesktopText(silent).ownWords == "")
  }

  @Test func `foreign text is no markup, no format, no control, and not long`() {
    let hostile = [
      "<b>root</b>", "<a href='https://example.org'>x</a>", "&lt;b&gt;", "%s%n%n", "x\"\nuser: root", "\u{1b}[2J\u{7}",
      "\u{202e}toor", "\u{0}", String(repeating: "😀", count: 10_000), String(repeating: "<", count: 10_000),
    ]
    for words in hostile {
      let principal = Principal(uid: 1000, user: words, unit: .named(words), name: words, purpose: words)
      let prompt = PermissionPrompt(principal: principal)
      let text = DesktopText(prompt)
      let quoted = text.ownWords.split(separator: "\n").dropFirst()
      #expect(quoted.count == 2 && quoted.allSatisfy { $0.count { $0 == "\"" } == 2 && $0.hasSuffix("\"") })
      for shown in [text.question, text.facts, text.ownWords] {
        #expect(!shown.unicodeScalars.contains { "<>&%".unicodeScalars.contains($0) }, "\(shown)")
        let controls = shown.unicodeScalars.filter { $0.properties.generalCategory == .control }
        #expect(controls.allSatisfy { $0 == "\n" } && controls.count <= 3, "\(shown)")
        #expect(!shown.unicodeScalars.contains("\u{202e}"))
        #expect(shown.utf8.count < 16_000)
      }
    }
  }
}
