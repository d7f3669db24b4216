import ConfigurationTables
package import EventLoop
package import History
import PositionClient
import Positioning
import SQLite
package import Systemd

/// Executes the machine's actions: the one place where positiond and the file meet. It decides nothing.
package final class Recorder {
  /// How often the file is looked after.
  private static let keepingPause = Duration.seconds(3600)
  /// How often the file is asked whether a person pauses the recording.
  private static let lookPause = Duration.seconds(5)

  private let loop: EventLoop
  private let settings: RecorderSettings
  private let file: HistoryFile
  private let log: Log
  private var machine: RecorderMachine
  private var session: DurableSession?
  private var timer: LoopTimer?
  /// When the file is looked after next; this costs no wake-up of its own.
  private var nextKeeping: Instant
  /// When a pause is looked for next, if something occurs then.
  private var nextLook: Instant
  /// Events that occur while actions are executed are handled after these.
  private var waiting = Fifo<RecorderEvent>()
  private var isHandling = false

  package init(_ settings: RecorderSettings, file: HistoryFile, on loop: EventLoop, log: Log) {
    self.settings = settings
    self.file = file
    self.loop = loop
    self.log = log
    self.machine = RecorderMachine(settings)
    self.nextKeeping = loop.now
    self.nextLook = loop.now
  }

  package func begin() throws(SystemError) {
    self.timer = try self.loop.timer(accuracy: .seconds(1)) { [unowned self] in self.handle(.timeReached) }
    do throws(StoreError) {
      let newest = try self.file.extent()?.upperBound
      self.handle(
        .started(
          lastEvent: try self.file.lastEvent(), newest: newest,
          hasGap: try self.file.gaps().last?.end == .some(nil)))
    } catch {
      throw SystemError(code: 0, call: error.attempt, message: error.message)
    }
  }

  package func end() {
    self.handle(.stopped)
    self.timer = nil
  }

  private var now: WallMoment { WallMoment(instant: self.loop.now, since1970: self.loop.readWallClock()) }

  private func handle(_ event: RecorderEvent) {
    self.waiting.append(event)
    guard !self.isHandling else { return }
    self.isHandling = true
    defer { self.isHandling = false }
    while let event = self.waiting.popFirst() {
      self.lookForPause()
      self.perform(self.machine.handle(event, at: self.now))
    }
  }

  private func perform(_ actions: [RecorderAction]) { for action in actions { self.perform(action) } }

  /// Another program sets a pause. The file itself takes nothing of that time, so a late look loses nothing: it is only so that
  /// the receiver is not on for it.
  private func lookForPause() {
    guard self.loop.now >= self.nextLook else { return }
    self.nextLook = self.loop.now + Self.lookPause
    do throws(StoreError) {
      guard let until = try self.file.pauseEnd() else { return }
      self.perform(self.machine.handle(.paused(until: until), at: self.now))
    } catch {
      // The next record fails too, and says why.
    }
  }

  private func perform(_ action: RecorderAction) {
    switch action {
    case .beginSession:
      self.session?.close()
      let session = DurableSession(
        self.settings.durable, socket: self.settings.socket, program: "positiond-history",
        purpose: "records where this device was, for its user", on: self.loop
      ) { [unowned self] in self.handle(.session($0)) }
      self.session = session
      session.begin()
    case .endSession:
      self.session?.close()
      self.session = nil
    case .requestPermission: self.session?.requestPermission(.always)
    case .register(let hasVisits, let hasPositions):
      self.session?.register(
        DurableSession.Registration(
          regions: self.settings.regions.compactMap(\.region), position: hasPositions ? self.settings.position : nil,
          hasVisits: hasVisits))
    case .attach(let since): self.session?.attach(since: since)
    case .stream: if let stream = self.settings.stream { self.session?.stream(stream) }
    case .followStatus: self.session?.followStatus()
    case .acknowledge(let id): self.session?.acknowledge(through: id)
    case .record(let records, let outlivesPower): self.record(records, outlivesPower: outlivesPower)
    case .wait(let until): if let until { self.timer?.arm(at: until) } else { self.timer?.disarm() }
    case .log(let level, let message): self.log.write(level, message)
    case .state(let words): ServiceManager.notify(nil, status: words)
    }
  }

  private func record(_ records: [HistoryRecord], outlivesPower: Bool) {
    do throws(StoreError) {
      if let free = self.file.freeBytes, free < self.settings.keep.reserve {
        let kept = self.settings.keep.reserve >> 20
        throw StoreError(
          .transient, self.file.path,
          "its file system has \(free >> 20) MiB left, and reserve= in [keep] leaves \(kept) MiB to others: make room")
      }
      try self.file.record(records, outlivesPower: outlivesPower)
      self.waiting.append(.stored)
      guard self.loop.now >= self.nextKeeping else { return }
      let mayBeMore = try self.file.keepWithin(self.settings.keep, now: self.now.timestamp)
      if !mayBeMore { self.nextKeeping = self.loop.now + Self.keepingPause }
    } catch {
      self.waiting.append(.storeFailed("\(error)"))
    }
  }
}
