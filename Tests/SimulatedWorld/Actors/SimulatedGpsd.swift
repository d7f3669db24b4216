import EventLoop
import Positioning
import WorldSupport

/// A gpsd with one receiver. It writes lines as the recorded ones look, and the real libgps reads them.
final class SimulatedGpsd {
  static let port: UInt16 = 2947
  /// The configured receiver, where one is.
  static let configuredDevice = "/dev/ttyACM0"
  private static let otherDevice = "/dev/ttyUSB0"
  /// After its last client has left, gpsd keeps the device open for so long.
  static let keepsOpen: Duration = .seconds(60)

  private unowned let world: World
  private var receiver: SimulatedReceiver
  private var clients: [MemoryPeer] = []
  private var watchers: [MemoryPeer] = []
  /// Those that get the receiver's own messages.
  private var readers: [MemoryPeer] = []
  /// Counts the times that the device was opened, so that epochs of an earlier time end.
  private var opening = 0
  private(set) var isOpen = false
  private var isUp = false
  private var isHanging = false
  /// Whether the receiver is at its place, and whether it has its supply there.
  private var isAttached = true
  private var isSupplied = true
  private var isPlugged: Bool { self.isAttached && self.isSupplied }
  private var power: ReceiverPower
  private let speech: Speech
  private var device = SimulatedGpsd.configuredDevice
  /// Another receiver of gpsd's, if it has one.
  private var rival: SimulatedReceiver?
  private var random: SeededRandom
  /// Whether gpsd says what drives the receiver in each message about it.
  private var saysDriver = true
  private var isClockBack = false
  private var isLagging = false
  private var isSilent = false
  private var isMute = false
  /// By how much the link is late, and until when it is busy with what came before.
  private var lag: Duration = .zero
  private var linkBusyUntil: Duration = .zero
  /// What was not sent of the last line, by the client.
  private var rests: [ObjectIdentifier: String] = [:]
  private var hasSky = true
  private var jumps = false
  private var isFrozen = false
  /// One epoch of so many is at the wrong place; `nil`: none.
  private var strayEvery: Int?
  /// Positions since the device was opened.
  private var epochs = 0
  /// The newest epoch with a position.
  private var lastPosition: String?
  /// What it would have written while it hung.
  private var unwritten: [() -> Void] = []

  init(in world: World, seed: UInt64) {
    self.world = world
    self.receiver = SimulatedReceiver(seed: seed)
    self.random = SeededRandom(seed: seed &+ 31)
    self.speech = world.script.speech ?? Speech()
    if let neighbor = self.speech.neighbor, neighbor != .ships { self.rival = SimulatedReceiver(seed: seed &+ 5) }
    self.power = ReceiverPower(world.script.rung, seed: seed &+ 77)
    if world.script.isForgetful { self.receiver.forget(seed: seed &+ 91, now: world.machine.now) }
    if self.power.rung != .watch { self.receiver.start(now: world.machine.now) }
    self.start()
  }

  /// Whether a client watches a device that is there.
  var isWatched: Bool { self.isUp && self.isPlugged && !self.watchers.isEmpty }

  // MARK: Faults

  func start() {
    guard !self.isUp else { return }
    self.isUp = true
    if self.speech.keepsOpen, self.isPlugged { self.open() }
    self.world.machine.listen(at: .port(Self.port, address: "127.0.0.1")) { [unowned self] in self.accept($0) }
  }

  func stop() {
    guard self.isUp else { return }
    self.isUp = false
    self.world.machine.stopListening(at: .port(Self.port, address: "127.0.0.1"))
    for client in self.clients { client.close() }
    (self.clients, self.watchers, self.readers, self.unwritten, self.rests) = ([], [], [], [], [:])
    self.close()
  }

  func hang(_ isHanging: Bool) {
    self.isHanging = isHanging
    guard !isHanging else { return }
    let late = self.unwritten
    self.unwritten = []
    for write in late { write() }
  }

  func plug(_ isAttached: Bool) { self.change { $0.isAttached = isAttached } }

  /// A unit gives the receiver its supply, or takes it.
  func supply(_ isSupplied: Bool) {
    self.change { $0.isSupplied = isSupplied }
    self.setPower(isSupplied)
  }

  /// Whether the receiver hears commands.
  func deafen(_ isDeaf: Bool) { self.power.isDeaf = isDeaf }

  /// The machine has lost its power, and has it again.
  func restart() {
    self.isSupplied = true
    self.setPower(true)
    self.start()
  }

  private func setPower(_ isOn: Bool) {
    guard self.power.rung != .watch, isOn != self.power.isOn else { return }
    self.power.supply(isOn)
    let now = self.world.machine.now
    if isOn { self.receiver.start(now: now) } else { self.receiver.stop(now: now) }
    self.world.observe(.radio(isOn: isOn))
  }

  private func change(_ change: (SimulatedGpsd) -> Void) {
    let wasPlugged = self.isPlugged
    change(self)
    guard wasPlugged != self.isPlugged else { return }
    if self.isPlugged {
      if !self.watchers.isEmpty { self.open() }
      self.writeToAll(
        #"{"class":"DEVICE","path":"\#(self.device)"\#(self.saysDriver ? #","driver":"\#(self.driver)""# : ""),"#
          + #""activated":"\#(self.world.trueTime)"}"#)
    } else {
      self.close()
      self.writeToAll(#"{"class":"DEVICE","path":"\#(self.device)","activated":0}"#)
    }
  }

  func clearSky(_ hasSky: Bool) { self.hasSky = hasSky }

  /// Whether one epoch in 40 is far away, after some at the right place.
  func jump(_ jumps: Bool) { self.jumps = jumps }

  /// One epoch of so many is 250 m away, after some at the right place.
  func stray(every count: Int?) { self.strayEvery = count }

  /// The receiver errs by so many times as much from now on.
  func blur(by factor: Double) { self.receiver.blur(by: factor) }

  /// Whether the last epoch is repeated.
  func freeze(_ isFrozen: Bool) { self.isFrozen = isFrozen }

  func begin(_ fault: ReceiverFault) {
    switch fault {
    case .clockBack: self.isClockBack = true
    case .lagging: self.isLagging = true
    case .silent: self.isSilent = true
    case .renamed: self.plug(false)
    case .mute:
      self.stop()
      self.isMute = true
      self.start()
    }
  }

  func end(_ fault: ReceiverFault) {
    switch fault {
    case .clockBack: self.isClockBack = false
    case .lagging: self.isLagging = false
    case .silent: self.isSilent = false
    case .renamed:
      self.device = self.device == Self.configuredDevice ? "/dev/ttyACM1" : Self.configuredDevice
      self.saysDriver = false
      self.plug(true)
    case .mute: self.isMute = false
    }
  }

  // MARK: Clients

  private func accept(_ peer: MemoryPeer) {
    self.clients.append(peer)
    guard !self.isMute else {
      peer.onEnd = { [unowned self, unowned peer] in self.left(peer) }
      return
    }
    peer.onLine = { [unowned self, unowned peer] in self.requested($0, by: peer) }
    peer.onEnd = { [unowned self, unowned peer] in self.left(peer) }
    self.write(
      #"{"class":"VERSION","release":"\#(self.speech.release.name)","rev":"\#(self.speech.release.name)","#
        + #""proto_major":3,"proto_minor":\#(self.speech.release.minor)}"#, to: peer)
  }

  private func left(_ peer: MemoryPeer) {
    self.clients.removeAll { $0 === peer }
    self.rests[ObjectIdentifier(peer)] = nil
    self.unwatch(peer)
    peer.close()
  }

  private func requested(_ line: String, by peer: MemoryPeer) {
    if line.hasPrefix(#"?WATCH={"enable":true"#) {
      self.write(self.devices, to: peer)
      self.write(#"{"class":"WATCH","enable":true,"json":true}"#, to: peer)
      if !self.watchers.contains(where: { $0 === peer }) {
        self.watchers.append(peer)
        self.world.hardwareChanged()
      }
      if line.contains(#""raw":"#) { self.readers.removeAll { $0 === peer } }
      if line.contains(#""raw":1"#) { self.readers.append(peer) }
      if !self.isOpen, self.isPlugged { self.open() }
    } else if line.hasPrefix(#"?WATCH={"enable":false"#) {
      self.unwatch(peer)
      self.write(#"{"class":"WATCH","enable":false,"json":false}"#, to: peer)
    } else if line.hasPrefix("?DEVICE=") {
      self.command(line, by: peer)
    } else if line.hasPrefix("?DEVICES") {
      self.write(self.devices, to: peer)
    }
  }

  private var driver: String { self.power.rung == .mediaTek ? "MTK-3301" : "u-blox" }

  /// Writes bytes to the receiver.
  private func command(_ line: String, by peer: MemoryPeer) {
    guard self.isOpen, let body = JSON(String(line.dropFirst("?DEVICE=".utf8.count).prefix { $0 != ";" })),
      let digits = body["hexdata"]?.string
    else {
      return self.write(#"{"class":"ERROR","message":"Can't perform DEVICE command"}"#, to: peer)
    }
    let text = Array(digits)
    let bytes = stride(from: 0, to: text.count - 1, by: 2).compactMap { UInt8(String(text[$0...($0 + 1)]), radix: 16) }
    self.write(self.identified, to: peer)
    if self.power.isOn {
      let world = self.world
      let answer = self.receiver.received(bytes, now: world.machine.now, at: world.place, world.trueTime)
      for message in answer { self.pass(on: message) }
    }
    for message in self.power.answer(bytes) { self.pass(on: message) }
    guard let (isOn, pause) = self.power.take(bytes) else { return }
    self.world.machine.after(pause) { [weak self] in self?.setPower(isOn) }
  }

  private var identified: String {
    #"{"class":"DEVICE","path":"\#(self.device)","driver":"\#(self.driver)","activated":"\#(self.world.trueTime)"}"#
  }

  /// Passes on a message of the receiver.
  private func pass(on message: [UInt8]) {
    let digits = message.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    for peer in self.readers { self.write(digits, to: peer) }
  }

  private var devices: String {
    guard self.isPlugged else { return #"{"class":"DEVICES","devices":[]}"# }
    let activated = self.isOpen ? #","activated":"\#(self.world.trueTime)""# : ""
    // Releases differ in what they say of one that is closed.
    let closed = self.speech.release.counts ? #","activated":0"# : ""
    let others =
      switch self.speech.neighbor {
      case .rival, .unwanted:
        #",{"class":"DEVICE","path":"\#(Self.otherDevice)","driver":"u-blox"\#(activated.isEmpty ? closed : activated)}"#
      case .ships:
        #",{"class":"DEVICE","path":"/dev/ttyS1","driver":"AIVDM"\#(activated.isEmpty ? closed : activated)}"#
      case nil: ""
      }
    return
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"\#(self.device)","driver":"\#(self.driver)"\#(activated.isEmpty ? closed : activated)}\#(others)]}"#
  }

  private func unwatch(_ peer: MemoryPeer) {
    guard self.watchers.contains(where: { $0 === peer }) else { return }
    self.watchers.removeAll { $0 === peer }
    self.readers.removeAll { $0 === peer }
    self.world.hardwareChanged()
    let opening = self.opening
    self.world.machine.after(Self.keepsOpen) { [weak self] in
      guard let self, self.opening == opening, self.watchers.isEmpty else { return }
      self.close()
    }
  }

  private func write(_ line: String, to peer: MemoryPeer) {
    if self.isHanging { return self.unwritten.append { [weak self] in self?.send(line + "\r\n", to: peer) } }
    self.send(line + "\r\n", to: peer)
  }

  /// In pieces, the last of which comes with the next line, or a little later.
  private func send(_ text: String, to peer: MemoryPeer) {
    guard self.speech.isInPieces else { return peer.send(text) }
    let client = ObjectIdentifier(peer)
    let whole = (self.rests[client] ?? "") + text
    let cut = Int.random(in: 0..<whole.utf8.count, using: &self.random)
    let place = whole.utf8.index(whole.startIndex, offsetBy: cut)
    peer.send(String(whole[..<place]))
    self.rests[client] = String(whole[place...])
    self.world.machine.after(.milliseconds(40)) { [weak self, weak peer] in
      guard let self, let peer, let rest = self.rests.removeValue(forKey: client) else { return }
      peer.send(rest)
    }
  }

  private func writeToAll(_ line: String) { for peer in self.watchers { self.write(line, to: peer) } }

  // MARK: The receiver

  private func open() {
    self.opening += 1
    self.epochs = 0
    self.isOpen = true
    self.rival?.start(now: self.world.machine.now)
    switch self.power.rung {
    case .watch: self.receiver.start(now: self.world.machine.now)
    // gpsd's probes are bytes, which wake it.
    case .mediaTek: self.setPower(true)
    case .ublox, .unit: break
    }
    self.world.hardwareChanged()
    if self.world.script.isForgetful { self.writeToAll(self.identified) }
    self.nextEpoch(of: self.opening)
  }

  private func close() {
    guard !self.speech.keepsOpen || !self.isUp || !self.isPlugged else { return }
    self.isOpen = false
    (self.lag, self.linkBusyUntil) = (.zero, .zero)
    self.opening += 1
    if self.power.rung == .watch { self.receiver.stop(now: self.world.machine.now) }
    self.world.hardwareChanged()
  }

  /// Epochs come on whole seconds of true time, some tenths later.
  private func nextEpoch(of opening: Int) {
    let machine = self.world.machine
    let elapsed = machine.now - self.world.began
    let next = Duration.seconds(Int64(elapsed.seconds.rounded(.down)) + 1)
    machine.after(next - elapsed + .milliseconds(120)) { [weak self] in
      guard let self, self.opening == opening else { return }
      // What a receiver said while the machine slept is lost.
      let isLost = self.world.script.speech != nil && self.world.elapsed - next > .seconds(1)
      if !isLost { self.report(of: next) }
      self.nextEpoch(of: opening)
    }
  }

  private func report(of moment: Duration) {
    let machine = self.world.machine
    let epoch = self.receiver.epoch(
      self.world.script.track, at: moment, hasSky: self.hasSky, now: machine.now)
    if let (after, without) = self.receiver.takeFirstFix(now: machine.now) {
      self.world.observe(.acquired(after: after, without: without))
    }
    guard !self.watchers.isEmpty, self.unwritten.count < 1000, self.power.isOn || self.power.talksWhileOff else {
      return
    }
    guard !self.isSilent else { return }
    self.growLag()
    if self.isFrozen, self.power.isOn, let lastPosition { return self.say(lastPosition) }
    self.reportNeighbor(of: moment)
    guard let place = epoch.place else { return self.say(#"{"class":"TPV","device":"\#(self.device)","mode":1}"#) }
    self.epochs += 1
    // Of other drivers than u-blox's, gpsd's error is the radius that holds 95 %.
    let accuracy = PositionLine.rounded(self.power.rung == .mediaTek ? epoch.accuracy / 0.62 : epoch.accuracy)
    var line = PositionLine(
      device: self.device, time: self.time(of: moment), place: place, accuracy: accuracy, speed: epoch.speed,
      course: epoch.course, members: self.world.script.speech == nil ? "" : self.speech.release.members)
    if self.jumps, self.epochs % 40 == 0 { line.place.north += 30_000 }
    if let strayEvery, self.epochs % strayEvery == 0 { line.place.north += 250 }
    if self.epochs % 40 == 39 { self.spoil(&line, of: moment) }
    let lines = self.speech.lines(of: line) { self.time(of: moment + $0) }
    self.add(line, of: moment, hasAltitude: lines.contains { $0.line.hasAltitude })
    for (after, line) in lines {
      let text = line.text
      self.lastPosition = text
      self.say(text, after: after)
    }
    for (after, text) in self.speech.skyLines(of: self.device, time: line.time) { self.say(text, after: after) }
  }

  /// As the receiver's clock shows it.
  private func time(of moment: Duration) -> String {
    "\(self.world.time(of: self.isClockBack ? moment - .seconds(3600) : moment))"
  }

  private func spoil(_ line: inout PositionLine, of moment: Duration) {
    switch self.speech.flaw {
    case .lostSentence: line.hasAltitude = false
    case .noAccuracy: line.accuracy = nil
    case .dateAhead: line.time = self.time(of: moment + .seconds(10 * 365 * 86_400))
    case .simulated:
      line.isSimulated = true
      line.place.north += 5000
    case nil: break
    }
  }

  private func reportNeighbor(of moment: Duration) {
    if self.speech.neighbor == .ships { for _ in 0..<3 { self.say(Speech.ship) } }
    guard
      let epoch = self.rival?.epoch(
        self.world.script.track, at: moment, hasSky: self.hasSky, now: self.world.machine.now),
      var place = epoch.place
    else {
      return
    }
    if self.speech.neighbor == .unwanted { place.east += 2000 }
    // Now and then it is the better one.
    let accuracy = epoch.accuracy * Double.random(in: 0.7...1.4, using: &self.random)
    let line = PositionLine(
      device: Self.otherDevice, time: self.time(of: moment), place: place, accuracy: PositionLine.rounded(accuracy),
      speed: epoch.speed, course: epoch.course, members: self.speech.release.members)
    self.add(line, of: moment, hasAltitude: true)
    self.say(line.text, after: .milliseconds(150))
  }

  private func add(_ line: PositionLine, of moment: Duration, hasAltitude: Bool) {
    let (latitude, longitude) = line.degrees
    self.world.reported.add(
      ReportedEpochs.Epoch(
        moment: moment, device: line.device, hasAltitude: hasAltitude, accuracy: line.accuracy,
        isSimulated: line.isSimulated), latitude, longitude)
  }

  /// A link that is late is so by a fifth of a second more with each epoch, and catches up faster.
  private func growLag() {
    self.lag = self.isLagging ? self.lag + .milliseconds(200) : max(.zero, self.lag - .seconds(2))
  }

  /// Says something of a receiver, after what its link still has.
  private func say(_ line: String, after pause: Duration = .zero) {
    let now = self.world.elapsed
    let at = max(now + pause + self.lag, self.linkBusyUntil)
    guard at > now else { return self.sayNow(line) }
    // One line after the other.
    self.linkBusyUntil = at + .milliseconds(1)
    let opening = self.opening
    self.world.machine.after(at - now) { [weak self] in
      guard let self, self.opening == opening else { return }
      self.sayNow(line)
    }
  }

  private func sayNow(_ line: String) {
    self.world.reported.wrote(at: self.world.elapsed, awake: self.world.awake)
    self.writeToAll(line)
  }
}
