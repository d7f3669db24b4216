import EventLoop
import Positioning
import WorldSupport

/// A program that uses the daemon by bytes on its socket, as its plan says. It connects again whenever its connection ends.
package final class Program {
  package let plan: ProgramPlan
  private unowned let world: World
  private var peer: MemoryPeer?
  /// Counts connections, so that what was meant for an earlier one is not done.
  private var connection = 0
  private var requests = 0
  private var pending: [Int: Observation.Request] = [:]
  private(set) var isRunning = false
  /// The newest event of its durable name that it has seen.
  private var lastEvent = 0

  init(_ plan: ProgramPlan, in world: World) {
    self.plan = plan
    self.world = world
  }

  /// The requests that wait for their answers, the oldest first.
  package var waiting: [Observation.Request] { self.pending.values.sorted { $0.id < $1.id } }
  package var isConnected: Bool { self.peer != nil }
  /// Whether it reads what the daemon sends.
  package private(set) var isReading = true

  /// The durable name of what outlives it; `nil`: nothing does.
  package var durableName: String? {
    switch self.plan.kind {
    case .watches(_, durable: true), .visits(durable: true): self.plan.name
    case .watches(_, durable: false), .visits(durable: false), .asks, .follows, .overhears, .notices, .watchesStatus,
      .watchesAsGpsd,
      .readsSentences:
      nil
    }
  }

  // MARK: Its life

  func begin() {
    self.isRunning = true
    self.connect()
  }

  func end() {
    guard self.isRunning else { return }
    guard let durableName, self.isConnected else { return self.leave() }
    // What would outlive it goes with it.
    self.call("durable.remove", #"{"name":"\#(durableName)"}"#)
    self.world.machine.after(.seconds(40)) { [weak self] in self?.leave() }
  }

  private func leave() {
    self.isRunning = false
    self.disconnect()
  }

  /// The machine has lost its power, or the program is killed.
  func disconnect() {
    self.peer?.close()
    self.disconnected()
  }

  func read(_ isReading: Bool) {
    self.isReading = isReading
    self.peer?.isReading = isReading
  }

  private func connect() {
    guard self.isRunning, self.peer == nil else { return }
    let principal = Principal(uid: self.plan.uid, gid: self.plan.uid, pid: 4242, groups: [self.plan.uid])
    do throws(SystemError) {
      let peer = try self.world.machine.connect(to: .path(DaemonProcess.socket), as: principal)
      peer.keepsReceived = false
      peer.isReading = self.isReading
      peer.onLine = { [unowned self] in self.received($0) }
      peer.onEnd = { [unowned self] in
        self.peer?.close()
        self.disconnected()
      }
      self.peer = peer
      self.connection += 1
      self.world.observe(.connected(self))
      self.ask()
    } catch {
      self.connectLater()
    }
  }

  private func disconnected() {
    guard self.peer != nil else { return }
    self.peer = nil
    self.pending = [:]
    self.world.observe(.disconnected(self))
    self.connectLater()
  }

  private func connectLater() {
    self.world.machine.after(.seconds(1)) { [weak self] in self?.connect() }
  }

  // MARK: What it says

  @discardableResult
  private func call(_ method: String, _ parameters: String = "{}", timeout: Int? = nil) -> Int? {
    guard let peer = self.peer else { return nil }
    self.requests += 1
    let request = Observation.Request(
      id: self.requests, method: method, parameters: parameters, sentAt: self.world.elapsed,
      sentAwake: self.world.awake, timeout: timeout)
    self.pending[request.id] = request
    self.world.observe(.sent(self, request))
    peer.send(#"{"jsonrpc":"2.0","id":\#(request.id),"method":"\#(method)","params":\#(parameters)}"# + "\n")
    return request.id
  }

  /// Does something later on this connection.
  private func later(_ delay: Duration, _ work: @escaping (Program) -> Void) {
    let connection = self.connection
    self.world.machine.after(delay) { [weak self] in
      guard let self, self.connection == connection, self.peer != nil else { return }
      work(self)
    }
  }

  /// What it asks first on a connection.
  private func ask() {
    switch self.plan.kind {
    case .asks: self.getPosition()
    case .follows(let interval, let distance):
      self.call("position.subscribe", #"{"minInterval":\#(interval),"minDistance":\#(distance)}"#)
    case .overhears: self.call("position.subscribe", #"{"mode":"passive"}"#)
    case .notices(let distance):
      self.call("position.subscribe", #"{"mode":"significant","significantDistance":\#(distance)}"#)
    case .watches(let regions, let isDurable):
      let durable = isDurable ? #","durable":{"name":"\#(self.plan.name)"}"# : ""
      for region in regions {
        let (latitude, longitude) = Track.degrees(of: region.center)
        let dwell = region.dwellTime.map { #","notify":["enter","exit","dwell"],"dwellTime":\#($0)"# } ?? ""
        let latency = region.latency.map { #","latency":\#($0)"# } ?? ""
        self.call(
          "region.add",
          #"{"id":"\#(region.id)","circle":{"latitude":\#(latitude),"longitude":\#(longitude),"#
            + #""radius":\#(region.radius)}\#(dwell)\#(latency)\#(durable)}"#)
      }
    case .visits(let isDurable):
      self.call("visit.subscribe", isDurable ? #"{"durable":{"name":"\#(self.plan.name)"}}"# : "{}")
    case .watchesStatus: self.call("status.subscribe")
    case .watchesAsGpsd, .readsSentences: break
    }
  }

  private func getPosition() {
    guard case .asks(_, let accuracy, let timeout) = self.plan.kind else { return }
    self.call("position.get", #"{"accuracy":\#(accuracy),"timeout":\#(timeout)}"#, timeout: timeout)
  }

  // MARK: What it hears

  private func received(_ line: String) {
    guard let message = JSON(line) else { return self.world.observe(.strange(self, line)) }
    if let method = message["method"]?.string {
      self.world.observe(.notified(self, method: method, message))
      return self.take(message)
    }
    guard let id = message["id"]?.number, let request = self.pending.removeValue(forKey: Int(id)) else {
      return self.world.observe(.strange(self, line))
    }
    self.world.observe(.answered(self, request, message))
    self.take(request, message)
  }

  private func take(_ request: Observation.Request, _ message: JSON) {
    let isRefused = message["error"] != nil
    switch request.method {
    case "position.get":
      if case .asks(let every, _, _) = self.plan.kind { self.later(every) { $0.getPosition() } }
    case "region.add", "visit.subscribe":
      // A registration that was refused is tried again.
      guard !isRefused else {
        return self.later(.seconds(30)) { $0.call(request.method, request.parameters) }
      }
      if let durableName, self.waiting.isEmpty {
        self.call("durable.attach", #"{"name":"\#(durableName)","sinceEvent":\#(self.lastEvent)}"#)
      }
    case "durable.attach":
      if isRefused { self.later(.seconds(30)) { $0.call(request.method, request.parameters) } }
    case "position.subscribe", "status.subscribe":
      if isRefused { self.later(.seconds(30)) { $0.call(request.method, request.parameters) } }
    default: break
    }
  }

  /// Acknowledges durable events.
  private func take(_ notification: JSON) {
    guard let durableName, let event = notification["params"]?["eventId"]?.number else { return }
    self.lastEvent = max(self.lastEvent, Int(event))
    self.call("durable.acknowledge", #"{"name":"\#(durableName)","event":\#(Int(event))}"#)
  }
}
