import Positioning

/// Everything that happens to a world from outside, complete before the first event: so it can be printed, shortened by
/// leaving things out, and run again.
package struct Script: Hashable, Sendable {
  /// From which everything is drawn that is left to chance while it runs.
  package var seed: UInt64
  /// Of which seed it is the script.
  package var number: UInt64
  /// How long faults may begin and programs may come. Calm follows, in which everything must work again.
  package var length: Duration
  package var track: Track
  package var programs: [ProgramPlan]
  package var faults: [Fault]
  /// How the receiver is turned off and on.
  package var rung: Rung
  /// Whether a person is asked about the users for whom no rule decides.
  package var asksPersons = false
  /// What an earlier version of the daemon has left; `nil`: nothing.
  package var database: OldDatabase?
  package var libraryPrograms: [LibraryPlan] = []
  package var bridge: BridgePlan?
  /// Those that use GeoClue's interface.
  package var desktopPrograms: [DesktopPlan] = []
  /// Whether the receiver forgets everything with its supply.
  package var isForgetful = false
  /// How wrong the system's clock may be, as long as nobody sets it; `nil`: nobody knows.
  package var clockError: Duration?
  /// How gpsd speaks; `nil`: each epoch is one whole line.
  package var speech: Speech?
  /// Whether nothing was added to it.
  var isPlain: Bool {
    !self.asksPersons && self.database == nil && !self.faults.contains { $0.kind == .locked }
      && !self.programs.contains { $0.relay != nil || $0.name.hasPrefix("door") }
  }
  /// Which limits an administrator has set lower, so that they are met.
  package var limits = Limits()

  /// `nil`: the daemon's own.
  package struct Limits: Hashable, Sendable {
    package var clients: Int?
    package var clientsOfUser: Int?
    /// The events that wait under a durable name.
    package var inboxEvents: Int?
    /// The bytes that wait for a client.
    package var outbound: Int?
    /// What may be on its way to the store, in fixes.
    package var unstored: Int?
  }

  package enum Rung: String, Sendable {
    case watch
    case ublox
    case mediaTek
    case unit
  }

  /// The calm: everything works again, is asked, and ends.
  package static let calm: Duration = .seconds(45 * 60)
  /// When in the calm programs leave.
  package static let leaving: Duration = .seconds(25 * 60)

  package init(
    seed: UInt64, length: Duration, track: Track, programs: [ProgramPlan] = [], faults: [Fault] = [],
    rung: Rung = .watch
  ) {
    (self.seed, self.number) = (seed, seed)
    self.length = length
    self.track = track
    self.programs = programs
    self.faults = faults
    self.rung = rung
  }

  /// Whether a fault is at work, or was so shortly before or comes so shortly after that it matters.
  package func isDisturbed(
    from: Duration, to: Duration, margin: Duration = .zero, by kinds: (Fault.Kind) -> Bool = { _ in true }
  )
    -> Bool
  {
    self.faults.contains { kinds($0.kind) && $0.at < to + margin && self.noticedUntil($0) > from - margin }
  }

  /// What ends while the machine sleeps is noticed when it wakes.
  private func noticedUntil(_ fault: Fault) -> Duration {
    let end = fault.at + fault.lasts
    let sleep = self.faults.first { $0.kind == .suspend && $0.at < end && end < $0.at + $0.lasts }
    return sleep.map { $0.at + $0.lasts } ?? end
  }
}

/// Something that goes wrong for a time, or somebody's deed.
package struct Fault: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case gpsdDown
    case gpsdHangs
    case unplugged
    case noSky
    /// The receiver hears no command, and units that turn it off and on fail.
    case deaf
    /// Now and then one epoch is far away.
    case jumps
    /// The receiver hangs: it repeats its last epoch.
    case frozen
    /// Something else of a receiver or its link.
    case receiver(ReceiverFault)
    /// The receiver errs by so many times as much as otherwise, and says so.
    case vague(Double)
    /// One epoch of so many is 250 m away, and says nothing of it.
    case strays(every: Int)
    /// The machine sleeps.
    case suspend
    /// The daemon does not run, as under SIGSTOP.
    case stopped
    /// The machine is so loaded that looking at a clock takes milliseconds, and each delivery half a second.
    case busy
    /// The daemon is killed, and started again.
    case killed
    /// The daemon is asked to end, and started again.
    case ended
    /// The machine loses its power.
    case powerCut
    case diskFull
    case diskBroken
    /// Another process has the database locked.
    case locked
    /// Somebody sets the wall clock, by so much; the fault has no length.
    case clockStep(Duration)
    /// A program does not read.
    case unread(program: String)
    /// The MQTT broker is away.
    case mqttDown
    /// The message bus goes away, and with it all programs on it.
    case busDown
    /// The bridge that offers GeoClue's interface is killed, and started again.
    case desktopBridgeKilled
    /// An administrator denies a user, and grants again.
    case denied(uid: UInt32)
    /// An administrator grants a user reduced precision only, and takes that back.
    case reduced(uid: UInt32)
    /// An administrator turns positions off, and on again.
    case disabled
    /// An administrator grants a user everything, and takes that back.
    case granted(uid: UInt32)
    /// The number belongs to a user of another name, and then again to the first one.
    case renamed(uid: UInt32)
    /// The number has no user any more, and then again the one of before.
    case deleted(uid: UInt32)
    /// No rule lists the units of a user, and then one does again.
    case unlisted(uid: UInt32)

    /// Whether a program does not read meanwhile.
    var isUnread: Bool { if case .unread = self { true } else { false } }

    /// Whether single epochs are wrong.
    var isStraying: Bool { if case .strays = self { true } else { false } }

    /// Whether the receiver errs more, and says so.
    var isVague: Bool { if case .vague = self { true } else { false } }

    /// Whether the daemon does not run meanwhile.
    var isAbsence: Bool {
      switch self {
      case .suspend, .stopped, .killed, .ended, .powerCut: true
      case _: false
      }
    }
  }

  package var at: Duration
  package var lasts: Duration
  package var kind: Kind

  package init(_ kind: Kind, at: Duration, lasts: Duration) {
    self.at = at
    self.lasts = lasts
    self.kind = kind
  }
}

/// A program that somebody runs for a time.
package struct ProgramPlan: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Asks for the position again and again.
    ///
    /// maxAge: seconds; `nil`: that of the accuracy's level.
    case asks(every: Duration, accuracy: Double, timeout: Int, maxAge: Int? = nil)
    /// Follows the position.
    case follows(interval: Double, distance: Double)
    /// Follows the position for so many seconds, again and again.
    case borrows(every: Duration, duration: Int)
    /// Collects fixes, and takes them so many seconds later.
    case collects(interval: Double, timeout: Int)
    case overhears
    /// Asks for significant changes.
    case notices(distance: Double)
    /// Watches regions; under a durable name, or as long as it is connected.
    case watches([RegionPlan], durable: Bool)
    case visits(durable: Bool)
    case watchesStatus
    /// Follows the satellites.
    case watchesSky
    /// Watches at gpsd's door, and may ask for the newest position in between.
    case watchesAsGpsd(polls: Bool)
    /// Reads sentences of NMEA 0183.
    case readsSentences
    /// Asks for permission again and again, each time on a new connection.
    case requests(always: Bool, every: Duration)
    /// Is an agent, whose persons reply so, one after the other.
    case answersPrompts([PromptReply])
    /// Takes over what an earlier version has kept under a durable name.
    case inherits(name: String)
    /// Is started by a unit when there are events under its durable name, takes them, and leaves.
    case isStarted(StartPlan)
    /// Subscribes to positions with these parameters.
    case subscribes(String)
    /// Asks, ends its sending side, and reads until the daemon closes; again and again.
    case shutsDown(every: Duration)
    /// So many connections that ask for nothing; each is there for a time, and comes again later.
    case crowds(connections: Int, every: Duration)
    /// Says many wrong things at a time, again and again.
    case lies(burst: Int, every: Duration)

    /// Seconds between the fixes of `borrows`.
    static let borrowedInterval = 5.0

    /// Whether it speaks another protocol than the daemon's own.
    var isAtAnotherDoor: Bool {
      switch self {
      case .watchesAsGpsd, .readsSentences: true
      case _:
        false
      }
    }

    var isCrowd: Bool { if case .crowds = self { true } else { false } }
    var isLying: Bool { if case .lies = self { true } else { false } }

    /// Whether it is one program that uses the daemon as it should.
    var isAtTheSocket: Bool { !self.isAtAnotherDoor && !self.isCrowd && !self.isLying }

    /// Whether it registers regions.
    var watchesRegions: Bool {
      switch self {
      case .watches: true
      case .isStarted(let start): !start.regions.isEmpty
      case _: false
      }
    }
  }

  /// What a unit starts a program for.
  package struct StartPlan: Hashable, Sendable {
    package var unit: String
    package var regions: [RegionPlan]
    /// Seconds after which a batch of fixes is an event; `nil`: none is.
    package var batches: Int?
    /// How long it stays after it was started.
    package var stays: Duration
    /// Of so many runs one acknowledges nothing.
    package var forgetsEvery: Int
    /// Of so many runs one removes the name and registers it again.
    package var removesEvery: Int
  }

  package struct RegionPlan: Hashable, Sendable {
    package var id: String
    package var center: Track.Place
    package var radius: Double
    /// Seconds; `nil`: no `dwell`.
    package var dwellTime: Int?
    package var latency: Int?
    /// Whether the initial state is reported if the device is inside.
    package var reportsInitial = false
    /// Seconds; `nil`: it does not end.
    package var expiresIn: Int?
    package var isForCrossing = false

    package init(id: String, center: Track.Place, radius: Double, dwellTime: Int? = nil, latency: Int? = nil) {
      self.id = id
      self.center = center
      self.radius = radius
      self.dwellTime = dwellTime
      self.latency = latency
    }
  }

  /// What an agent does with a prompt.
  package struct PromptReply: Hashable, Sendable {
    package enum Act: Hashable, Sendable {
      case allow(isReduced: Bool, isRemembered: Bool)
      case deny(isRemembered: Bool)
      /// Answers with an error.
      case fail
      /// Does not answer.
      case wait
      /// Is killed, and started again.
      case leave
    }

    package var act: Act
    /// How long the person takes.
    package var after: Duration

    package init(_ act: Act, after: Duration) { (self.act, self.after) = (act, after) }
  }

  package var name: String
  package var uid: UInt32
  package var from: Duration
  package var to: Duration
  package var kind: Kind
  /// The user of the relay that asks for `uid`; `nil`: the program connects itself.
  package var relay: UInt32?
  /// The subordinate number of its process; `nil`: it is the user's own.
  package var number: UInt32?
  /// Of one that follows: the least integrity that it takes, and seconds between heartbeats; `nil`: as it is by default.
  package var integrity: String?
  package var heartbeat: Double?

  /// Whether it gets what an earlier life of the device has left.
  package var isHeir: Bool { if case .inherits = self.kind { true } else { false } }
  /// Of one that watches regions: how often it registers them again, unchanged; `nil`: never.
  package var addsAgain: Duration?

  package init(_ name: String, uid: UInt32 = 1000, _ kind: Kind, from: Duration, to: Duration) {
    self.name = name
    self.uid = uid
    self.kind = kind
    self.from = from
    self.to = to
  }
}

extension Script {
  /// All of it, for people.
  package var text: String {
    ([self.head] + self.programs.map(\.line) + self.libraryPrograms.map(\.line) + self.desktopPrograms.map(\.line)
      + (self.bridge.map { ["  a bridge to MQTT: \($0.regions)"] } ?? [])
      + self.faults.map { "  at \($0.at.seconds) s for \($0.lasts.seconds) s: \($0.kind)" }).joined(separator: "\n")
  }

  private var head: String {
    let legs = self.track.legs.map { "\($0.duration.seconds) s at \($0.speed) m/s to \(Int($0.course))" }
    var parts = ["\(self.length.seconds) s", "rung: \(self.rung)"]
    if self.asksPersons { parts.append("persons are asked") }
    if let database { parts.append("a database of \(database.version)") }
    if self.isForgetful { parts.append("the receiver forgets") }
    if let clockError { parts.append("a clock that is right to \(clockError)") }
    if let speech { parts.append(speech.text) }
    return parts.joined(separator: "; ") + self.limits.text + "; track: " + legs.joined(separator: ", ")
  }
}

extension ProgramPlan {
  fileprivate var line: String {
    let number = self.number.map { " as \($0)" } ?? ""
    let relay = self.relay.map { " by \($0)" } ?? ""
    let integrity = self.integrity.map { " of \($0)" } ?? ""
    let again = self.addsAgain.map { ", again every \($0.seconds) s" } ?? ""
    return
      "  \(self.name) of \(self.uid)\(number)\(relay)\(integrity), \(self.from.seconds) to \(self.to.seconds) s: \(self.kind)\(again)"
  }
}

extension LibraryPlan {
  fileprivate var line: String {
    "  \(self.name) of \(self.uid) on the library, \(self.from.seconds) to \(self.to.seconds) s: \(self.use)"
  }
}

extension DesktopPlan {
  fileprivate var line: String {
    "  \(self.name) of \(self.uid) on the bus, \(self.from.seconds) to \(self.to.seconds) s: \(self.text)"
  }
}

extension Script.Limits {
  fileprivate var text: String {
    let limits = [
      ("clients", self.clients), ("clients of a user", self.clientsOfUser), ("events", self.inboxEvents),
      ("bytes for a client", self.outbound), ("unstored", self.unstored),
    ]
    return limits.map { name, limit in limit.map { "; \(name): at most \($0)" } ?? "" }.joined()
  }
}
