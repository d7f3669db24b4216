import NMEA
package import Positioning
package import UBX

/// The kind of the simulated receiver: its protocol, and the commands that it obeys.
package enum ReceiverKind: String, Hashable, Sendable, CaseIterable {
  /// A plain NMEA receiver, which obeys no commands.
  case nmea
  /// A u-blox 8 that speaks UBX.
  case ublox
  /// A MediaTek MT3339 that speaks NMEA and obeys $PMTK.
  case mtk
}

/// The receiver's internal state: power, standby, search and tracking. It is pure: every event has its time as an
/// argument.
///
/// A receiver that takes its power from the port's DTR line is on while a program has the device open. The usual USB
/// puck is always powered and runs whether or not a program reads, which is why closing the port saves nothing. A
/// receiver that a command stopped stays stopped when the port is closed.
package struct ReceiverModel: Sendable {
  package struct Settings: Hashable, Sendable {
    package var kind = ReceiverKind.nmea
    package var timeToFirstFix = TimeToFirstFix()
    /// The class of the very first start.
    package var firstStart = StartClass.cold
    /// Whether it runs while no program has the device open.
    package var keepsRunning = false
    /// The time from power to the first byte.
    package var boot = Duration.zero
    /// How the time to the first fix follows from what a u-blox knows; `nil`: from the time without a fix alone.
    package var knowledge: Knowledge.Settings?
    /// Whether a u-blox is one before the eighth generation, which refuses UBX-CFG-PMS.
    package var isOld = false
  }

  /// The receiver's activity, for observers.
  package enum Activity: Hashable, Sendable {
    case off
    /// Powered, and silent for now.
    case starting
    /// Stopped by a command. `talks`: it reports that it has no fix; else it is silent.
    case stopped(talks: Bool)
    /// No fix yet; `progress` is 0 at the begin and 1 at the fix, and stays 0 without sky.
    case searching(progress: Double)
    /// It has had a fix for this long.
    case tracking(Duration)
  }

  private enum State {
    case off
    case running(Engine)
    case stopped(Stop)
  }

  private enum Engine {
    case blind
    case searching(from: Instant, until: Instant)
    case tracking(since: Instant)
  }

  private enum Stop {
    /// u-blox: the GNSS part is off, the rest runs.
    case gnss
    /// MediaTek: silent until any byte arrives.
    case standby
    /// MediaTek: silent until it is resumed.
    case periodic
    /// MediaTek: silent until the power is cycled.
    case backup
  }

  /// What decides the class of the next start.
  private enum Memory {
    case fixedClass(StartClass)
    case tracked(until: Instant)
  }

  package let settings: Settings
  private var state: State = .off
  private var memory: Memory
  private var hasSky = true
  private var bootedAt: Instant
  private var scanner = CommandScanner()
  /// How a u-blox works while it is on, until it loses its power.
  package private(set) var powerMode = UBXPowerMode.full
  /// What a u-blox knows; `nil`: that is not simulated.
  package private(set) var knowledge: Knowledge?
  /// When the engine ran.
  package private(set) var powerLog = PowerLog()

  package init(settings: Settings, at now: Instant) {
    self.settings = settings
    self.memory = .fixedClass(settings.firstStart)
    self.bootedAt = now
    self.knowledge = settings.knowledge.map { Knowledge($0) }
    if settings.keepsRunning { self.powerOn(at: now) }
  }

  // MARK: Power and sky

  /// A program opened the device.
  package mutating func deviceOpened(at now: Instant) {
    if !self.settings.keepsRunning { self.powerOn(at: now) }
  }

  /// The last program that had the device open closed it.
  package mutating func deviceClosed(at now: Instant) {
    if !self.settings.keepsRunning { self.powerOff(at: now) }
  }

  /// The device was unplugged: no receiver keeps running without power.
  package mutating func unplugged(at now: Instant) {
    self.powerOff(at: now)
  }

  /// The device was plugged in again.
  package mutating func replugged(at now: Instant) {
    if self.settings.keepsRunning { self.powerOn(at: now) }
  }

  package mutating func setSky(visible: Bool, at now: Instant) {
    guard visible != self.hasSky else { return }
    let wasRunning = self.endSearch(at: now)
    self.hasSky = visible
    if wasRunning { self.beginSearch(at: now) }
    self.noteDraw(at: now)
  }

  private mutating func powerOn(at now: Instant) {
    guard case .off = self.state else { return }
    self.bootedAt = now + self.settings.boot
    self.powerLog.note(isOn: true, because: .power, at: now)
    self.beginSearch(at: self.bootedAt)
    self.noteDraw(at: now)
  }

  private mutating func powerOff(at now: Instant) {
    self.endSearch(at: now)
    self.state = .off
    self.powerMode = .full
    self.powerLog.note(isOn: false, because: .power, at: now)
    self.noteDraw(at: now)
    self.scanner = CommandScanner()
    self.knowledge?.losePower()
  }

  private mutating func beginSearch(at now: Instant) {
    guard self.hasSky else {
      self.state = .running(.blind)
      return
    }
    let duration =
      self.knowledge?.beginStart(at: now) ?? self.settings.timeToFirstFix.duration(of: self.nextStart(at: now))
    self.state = .running(.searching(from: now, until: now + duration))
  }

  /// Remembers the time of the last fix. Returns whether the receiver ran.
  @discardableResult
  private mutating func endSearch(at now: Instant) -> Bool {
    self.advance(to: now)
    guard case .running(let engine) = self.state else { return false }
    if case .tracking = engine {
      self.memory = .tracked(until: now)
      self.knowledge?.tracked(until: now)
    }
    return true
  }

  /// The class that a start at this moment would have.
  package func nextStart(at now: Instant) -> StartClass {
    switch self.memory {
    case .fixedClass(let start): start
    case .tracked(let end): self.settings.timeToFirstFix.startClass(after: now - end)
    }
  }

  /// A search whose time is over ends with a fix.
  private mutating func advance(to now: Instant) {
    if case .running(.searching(_, let end)) = self.state, end <= now {
      self.state = .running(.tracking(since: end))
      self.noteDraw(at: end)
      self.knowledge?.tracked(until: end)
    }
    // While it tracks it receives new orbits again and again.
    if case .running(.tracking) = self.state { self.knowledge?.tracked(until: now) }
  }

  // MARK: Activity

  package mutating func activity(at now: Instant) -> Activity {
    self.advance(to: now)
    switch self.state {
    case .off: return .off
    case .stopped(let stop): return .stopped(talks: stop == .gnss)
    case .running where now < self.bootedAt: return .starting
    case .running(.blind): return .searching(progress: 0)
    case .running(.searching(let start, let end)):
      return .searching(progress: (now - start).seconds / (end - start).seconds)
    case .running(.tracking(let since)): return .tracking(now - since)
    }
  }

  // MARK: Bytes of the host

  /// Takes bytes that the host wrote and returns the response; none while it is off.
  ///
  /// - Parameter truth: The true time and place, by which assistance is right or wrong; `nil`: assistance has no effect.
  package mutating func received(
    _ bytes: some Collection<UInt8>, at now: Instant, truth: Knowledge.Truth? = nil
  ) -> [UInt8] {
    if case .off = self.state { return [] }
    if case .stopped(.standby) = self.state, !bytes.isEmpty {
      self.beginSearch(at: now)
      self.powerLog.note(isOn: true, because: .wakeUp, at: now)
    }
    var answer: [UInt8] = []
    for command in self.scanner.scan(bytes) {
      switch self.settings.kind {
      case .nmea: break
      case .ublox: answer += self.obeyAsUblox(command, at: now, truth: truth)
      case .mtk: answer += self.obeyAsMediaTek(command, at: now)
      }
      self.powerLog.note(isOn: self.isEngineOn, because: .command(command), at: now)
    }
    self.noteDraw(at: now)
    return answer
  }

  /// Whether it tracks for only a part of each second.
  package var isSaving: Bool { self.powerMode == .oneHertz }

  /// Notes what it draws from now on. Of the balanced mode no figure is known.
  private mutating func noteDraw(at now: Instant) {
    let draw: PowerLog.Draw =
      switch self.state {
      case .off, .stopped: .standby
      case .running(.blind), .running(.searching): .acquisition
      case .running(.tracking): self.isSaving ? .saving : .tracking
      }
    self.powerLog.note(draw, at: now)
  }

  private var isEngineOn: Bool {
    if case .running = self.state { true } else { false }
  }

  private mutating func obeyAsUblox(_ command: HostCommand, at now: Instant, truth: Knowledge.Truth?) -> [UInt8] {
    switch command {
    case .versionPoll:
      return UBXFrame.version.bytes
    case .powerMode, .powerModePoll:
      guard !self.settings.isOld else { return UBXPowerMode.refusal.bytes }
      self.advance(to: now)
      let answer: [UInt8]
      if case .powerMode(let mode) = command {
        self.powerMode = mode
        answer = []
      } else {
        answer = self.powerMode.frame.bytes
      }
      return answer
        + UBXFrame.acknowledgement(of: UBXFrame.MessageClass.configuration, UBXPowerMode.poll.identifier).bytes
    case .configuration(let identifier):
      return UBXFrame.acknowledgement(of: UBXFrame.MessageClass.configuration, identifier).bytes
    case .reset(let forgotten, let mode):
      self.reset(forgotten: forgotten, mode: mode, at: now)
      return []
    case .knowledgePoll(let messageClass, let identifier):
      self.advance(to: now)
      guard let truth else { return [] }
      return self.knowledge?.answer(toPoll: messageClass, identifier, at: now, truth).flatMap(\.bytes) ?? []
    case .assistance(let frame):
      guard let truth else { return [] }
      let answer = self.knowledge?.take(frame, at: now, truth).map(\.bytes) ?? []
      self.shortenSearch(at: now)
      return answer
    case .standby, .periodicMode, .releaseQuery:
      return []
    }
  }

  /// What a u-blox has learned may end its search sooner; what is false keeps it from its first fix.
  private mutating func shortenSearch(at now: Instant) {
    self.advance(to: now)
    guard case .running(.searching(let start, let end)) = self.state, let knowledge = self.knowledge else { return }
    let duration = knowledge.timeToFirstFix(at: now)
    let new = knowledge.isMisled ? max(end, start + duration) : min(end, max(now, self.bootedAt) + duration)
    self.state = .running(.searching(from: start, until: new))
  }

  /// UBX-CFG-RST, which is never acknowledged. Bit 0 of the deleted data is the orbits; all bits set is a cold start.
  private mutating func reset(forgotten: UInt16, mode: UInt8, at now: Instant) {
    let wasRunning = self.endSearch(at: now)
    if forgotten == 0xFFFF {
      self.knowledge?.losePower()
      self.memory = .fixedClass(.cold)
    } else if forgotten & 1 != 0 {
      self.memory = .fixedClass(.warm)
    }
    switch mode {
    case 0x08:
      self.state = .stopped(.gnss)
    case 0x09:
      if wasRunning { self.resume(at: now) } else { self.beginSearch(at: now) }
    default:
      self.beginSearch(at: now)
    }
  }

  /// A start while the receiver runs has no effect, unless the receiver had to delete data.
  private mutating func resume(at now: Instant) {
    switch self.memory {
    case .fixedClass: self.beginSearch(at: now)
    case .tracked: break
    }
  }

  private mutating func obeyAsMediaTek(_ command: HostCommand, at now: Instant) -> [UInt8] {
    switch command {
    case .standby:
      self.stop(.standby, at: now)
      return NMEASentence("PMTK001,161,3").bytes
    case .periodicMode(let mode):
      switch mode {
      case 0:
        if case .stopped(.periodic) = self.state { self.beginSearch(at: now) }
      case 4:
        self.stop(.backup, at: now)
      default:
        self.stop(.periodic, at: now)
      }
      return NMEASentence("PMTK001,225,3").bytes
    case .releaseQuery:
      return NMEASentence("PMTK705,AXN_2.31_3339_13101700,5632,PA6H,1.0").bytes
    case .versionPoll, .reset, .powerMode, .powerModePoll, .configuration, .knowledgePoll, .assistance:
      return []
    }
  }

  private mutating func stop(_ stop: Stop, at now: Instant) {
    // In backup it receives nothing.
    if case .stopped(.backup) = self.state { return }
    self.endSearch(at: now)
    self.state = .stopped(stop)
  }
}

/// What the receiver still knows when it begins to search, which decides the time to the first fix.
package enum StartClass: String, Hashable, Sendable, CaseIterable {
  /// It has a fix at once: for tests to which this does not matter.
  case ready
  /// It knows its position, the time, and the orbits (ephemeris).
  case hot
  /// It knows its position and the time, and must receive the orbits again.
  case warm
  /// It knows nothing.
  case cold
}

/// The simulated receiver's time to its first fix, by the class of its start.
package struct TimeToFirstFix: Hashable, Sendable {
  package var hot = Duration.seconds(1)
  package var warm = Duration.seconds(27)
  package var cold = Duration.seconds(30)
  /// After less time than this without a fix a start is hot.
  package var hotLimit = Duration.seconds(7200)
  /// After less time than this without a fix a start is warm, else cold.
  package var warmLimit = Duration.seconds(14_400)

  /// The class of a start after `offTime` without a fix.
  package func startClass(after offTime: Duration) -> StartClass {
    offTime < self.hotLimit ? .hot : offTime < self.warmLimit ? .warm : .cold
  }

  /// The time from the beginning of the search to the first fix, under an open sky.
  package func duration(of start: StartClass) -> Duration {
    switch start {
    case .ready: .zero
    case .hot: self.hot
    case .warm: self.warm
    case .cold: self.cold
    }
  }
}

/// When the receiver's engine ran, and what started and stopped it: the receiver's own record, to compare with what is
/// claimed of it.
package struct PowerLog: Hashable, Sendable {
  /// What turned the engine on or off.
  package enum Cause: Hashable, Sendable {
    /// The device was opened or plugged in, or closed or unplugged.
    case power
    /// A command of the host.
    case command(HostCommand)
    /// Any byte of the host, in standby.
    case wakeUp
  }

  package struct Entry: Hashable, Sendable {
    package let at: Instant
    package let isOn: Bool
    package let cause: Cause
  }

  /// Oldest first, on and off in turn.
  package private(set) var entries: [Entry] = []

  /// What it drew from moments on.
  package enum Draw: Hashable, Sendable { case standby, acquisition, tracking, saving }

  /// Oldest first; of the same moment the last counts.
  package private(set) var draws: [(at: Instant, draw: Draw)] = []

  package static func == (one: PowerLog, other: PowerLog) -> Bool { one.entries == other.entries }
  package func hash(into hasher: inout Hasher) { hasher.combine(self.entries) }

  mutating func note(_ draw: Draw, at now: Instant) {
    if draw != self.draws.last?.draw ?? .standby { self.draws.append((now, draw)) }
  }

  /// How long it was drawn like that until then.
  package func time(_ draw: Draw, until now: Instant) -> Duration {
    self.draws.indices.reduce(.zero) { sum, index in
      let end = index + 1 < self.draws.count ? self.draws[index + 1].at : now
      return self.draws[index].draw == draw ? sum + max(min(end, now) - self.draws[index].at, .zero) : sum
    }
  }

  mutating func note(isOn: Bool, because cause: Cause, at now: Instant) {
    guard isOn != (self.entries.last?.isOn ?? false) else { return }
    self.entries.append(Entry(at: now, isOn: isOn, cause: cause))
  }

  /// How often the engine was started.
  package var starts: Int { self.entries.count { $0.isOn } }

  /// How long it ran until then.
  package func poweredTime(until now: Instant) -> Duration {
    var total = Duration.zero
    var since: Instant?
    for entry in self.entries where entry.at <= now {
      if let on = since, !entry.isOn { total += entry.at - on }
      since = entry.isOn ? entry.at : nil
    }
    return total + (since.map { now - $0 } ?? .zero)
  }
}
