import EventLoop
import Positioning
import WorldSupport

/// A gpsd with one receiver. It writes lines as the recorded ones look, and the real libgps reads them.
final class SimulatedGpsd {
  static let port: UInt16 = 2947
  private static let device = "/dev/ttyACM0"
  /// After its last client has left, gpsd keeps the device open for so long.
  static let keepsOpen: Duration = .seconds(60)

  private unowned let world: World
  private var receiver: SimulatedReceiver
  private var clients: [MemoryPeer] = []
  private var watchers: [MemoryPeer] = []
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
  private var release = "3.22"
  private var hasSky = true
  private var jumps = false
  private var isFrozen = false
  /// Positions since the device was opened.
  private var epochs = 0
  /// The newest epoch with a position.
  private var lastPosition: String?
  /// What it would have written while it hung.
  private var unwritten: [() -> Void] = []

  init(in world: World, seed: UInt64) {
    self.world = world
    self.receiver = SimulatedReceiver(seed: seed)
    self.power = ReceiverPower(world.script.rung, seed: seed &+ 77)
    if self.power.rung != .watch { self.receiver.start(now: world.machine.now) }
    self.start()
  }

  /// Whether a client watches a device that is there.
  var isWatched: Bool { self.isUp && self.isPlugged && !self.watchers.isEmpty }

  // MARK: Faults

  func start() {
    guard !self.isUp else { return }
    self.isUp = true
    self.world.machine.listen(at: .port(Self.port, address: "127.0.0.1")) { [unowned self] in self.accept($0) }
  }

  func stop() {
    guard self.isUp else { return }
    self.isUp = false
    self.world.machine.stopListening(at: .port(Self.port, address: "127.0.0.1"))
    for client in self.clients { client.close() }
    (self.clients, self.watchers, self.unwritten) = ([], [], [])
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
    if isOn { self.receiver.start(now: self.world.machine.now) } else { self.receiver.stop() }
    self.world.observe(.radio(isOn: isOn))
  }

  private func change(_ change: (SimulatedGpsd) -> Void) {
    let wasPlugged = self.isPlugged
    change(self)
    guard wasPlugged != self.isPlugged else { return }
    if self.isPlugged {
      if !self.watchers.isEmpty { self.open() }
      self.writeToAll(
        #"{"class":"DEVICE","path":"\#(Self.device)","driver":"\#(self.driver)","activated":"\#(self.world.trueTime)"}"#
      )
    } else {
      self.close()
      self.writeToAll(#"{"class":"DEVICE","path":"\#(Self.device)","activated":0}"#)
    }
  }

  func clearSky(_ hasSky: Bool) { self.hasSky = hasSky }

  /// Whether one epoch in 40 is far away, after some at the right place.
  func jump(_ jumps: Bool) { self.jumps = jumps }

  /// Whether the last epoch is repeated.
  func freeze(_ isFrozen: Bool) { self.isFrozen = isFrozen }

  // MARK: Clients

  private func accept(_ peer: MemoryPeer) {
    self.clients.append(peer)
    peer.onLine = { [unowned self, unowned peer] in self.requested($0, by: peer) }
    peer.onEnd = { [unowned self, unowned peer] in self.left(peer) }
    self.write(
      #"{"class":"VERSION","release":"\#(self.release)","rev":"\#(self.release)","proto_major":3,"proto_minor":14}"#,
      to: peer)
  }

  private func left(_ peer: MemoryPeer) {
    self.clients.removeAll { $0 === peer }
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
    self.write(
      #"{"class":"DEVICE","path":"\#(Self.device)","driver":"\#(self.driver)","activated":"\#(self.world.trueTime)"}"#,
      to: peer)
    guard let (isOn, pause) = self.power.take(bytes) else { return }
    self.world.machine.after(pause) { [weak self] in self?.setPower(isOn) }
  }

  private var devices: String {
    guard self.isPlugged else { return #"{"class":"DEVICES","devices":[]}"# }
    let activated = self.isOpen ? #","activated":"\#(self.world.trueTime)""# : ""
    return
      #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"\#(Self.device)","driver":"\#(self.driver)"\#(activated)}]}"#
  }

  private func unwatch(_ peer: MemoryPeer) {
    guard self.watchers.contains(where: { $0 === peer }) else { return }
    self.watchers.removeAll { $0 === peer }
    self.world.hardwareChanged()
    let opening = self.opening
    self.world.machine.after(Self.keepsOpen) { [weak self] in
      guard let self, self.opening == opening, self.watchers.isEmpty else { return }
      self.close()
    }
  }

  private func write(_ line: String, to peer: MemoryPeer) {
    if self.isHanging { return self.unwritten.append { peer.send(line + "\r\n") } }
    peer.send(line + "\r\n")
  }

  private func writeToAll(_ line: String) { for peer in self.watchers { self.write(line, to: peer) } }

  // MARK: The receiver

  private func open() {
    self.opening += 1
    self.epochs = 0
    self.isOpen = true
    switch self.power.rung {
    case .watch: self.receiver.start(now: self.world.machine.now)
    // gpsd's probes are bytes, which wake it.
    case .mediaTek: self.setPower(true)
    case .ublox, .unit: break
    }
    self.world.hardwareChanged()
    self.nextEpoch(of: self.opening)
  }

  private func close() {
    self.isOpen = false
    self.opening += 1
    if self.power.rung == .watch { self.receiver.stop() }
    self.world.hardwareChanged()
  }

  /// Epochs come on whole seconds of true time, some tenths later.
  private func nextEpoch(of opening: Int) {
    let machine = self.world.machine
    let elapsed = machine.now - self.world.began
    let next = Duration.seconds(Int64(elapsed.seconds.rounded(.down)) + 1)
    machine.after(next - elapsed + .milliseconds(120)) { [weak self] in
      guard let self, self.opening == opening else { return }
      self.report(of: next)
      self.nextEpoch(of: opening)
    }
  }

  private func report(of moment: Duration) {
    let machine = self.world.machine
    let epoch = self.receiver.epoch(
      self.world.script.track, at: moment, hasSky: self.hasSky, now: machine.now)
    guard !self.watchers.isEmpty, self.unwritten.count < 1000, self.power.isOn || self.power.talksWhileOff else {
      return
    }
    if self.isFrozen, self.power.isOn, let lastPosition { return self.writeToAll(lastPosition) }
    guard var place = epoch.place else {
      return self.writeToAll(#"{"class":"TPV","device":"\#(Self.device)","mode":1}"#)
    }
    self.epochs += 1
    if self.jumps, self.epochs % 40 == 0 { place.north += 30_000 }
    let (latitude, longitude) = Track.degrees(of: place)
    // Of other drivers than u-blox's, gpsd's error is the radius that holds 95 %.
    let accuracy = Self.rounded(self.power.rung == .mediaTek ? epoch.accuracy / 0.62 : epoch.accuracy)
    let line =
      #"{"class":"TPV","device":"\#(Self.device)","mode":3,"time":"\#(self.world.time(of: moment))","#
      + #""lat":\#(Self.rounded(latitude, 1e9)),"lon":\#(Self.rounded(longitude, 1e9)),"altHAE":520.0,"altMSL":473.0,"#
      + #""epx":\#(accuracy),"epy":\#(accuracy),"epv":\#(accuracy * 2),"eph":\#(accuracy),"#
      + #""track":\#(Self.rounded(epoch.course)),"speed":\#(Self.rounded(epoch.speed)),"eps":0.2}"#
    self.lastPosition = line
    self.writeToAll(line)
  }

  private static func rounded(_ value: Double, _ scale: Double = 1000) -> Double { (value * scale).rounded() / scale }
}
