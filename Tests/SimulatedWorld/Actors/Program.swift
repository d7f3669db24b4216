import Positioning
import WorldSupport

/// A program that uses the daemon by bytes on its socket, as its plan says.
package final class Program {
  package let plan: ProgramPlan
  private unowned let world: World
  private let connection: ProgramConnection
  private var requests = 0
  private var pending: [Int: Observation.Request] = [:]

  init(_ plan: ProgramPlan, in world: World) {
    self.plan = plan
    self.world = world
    self.connection = ProgramConnection(of: plan, to: DaemonProcess.socket, again: .seconds(1), in: world)
    self.connection.onBegin = { [unowned self] in
      self.world.observe(.connected(self))
      self.ask()
    }
    self.connection.onLine = { [unowned self] in self.received($0) }
    self.connection.onEnd = { [unowned self] in
      self.pending = [:]
      self.world.observe(.disconnected(self))
    }
  }

  /// The requests that wait for their answers, the oldest first.
  package var waiting: [Observation.Request] { self.pending.values.sorted { $0.id < $1.id } }
  var isRunning: Bool { self.connection.isRunning }
  package var isConnected: Bool { self.connection.isOpen }
  /// Whether it reads what the daemon sends.
  package var isReading: Bool { self.connection.isReading }

  /// The durable name of what outlives it; `nil`: nothing does.
  package var durableName: String? {
    switch self.plan.kind {
    case .watches(_, durable: true), .visits(durable: true): self.plan.name
    case .watches(_, durable: false), .visits(durable: false), .asks, .follows, .borrows, .collects, .overhears,
      .notices, .watchesStatus, .watchesAsGpsd, .readsSentences:
      nil
    }
  }

  // MARK: Its life

  func begin() { self.connection.begin() }

  func end() {
    guard self.isRunning else { return }
    guard let durableName, self.isConnected else { return self.connection.end() }
    // What would outlive it goes with it.
    self.call("durable.remove", #"{"name":"\#(durableName)"}"#)
    self.world.machine.after(.seconds(40)) { [weak self] in self?.connection.end() }
  }

  /// The machine has lost its power, or the program is killed.
  func disconnect() { self.connection.close() }

  func read(_ isReading: Bool) { self.connection.read(isReading) }

  // MARK: What it says

  @discardableResult
  private func call(_ method: String, _ parameters: String = "{}", timeout: Int? = nil) -> Int? {
    guard self.isConnected else { return nil }
    self.requests += 1
    let request = Observation.Request(
      id: self.requests, method: method, parameters: parameters, sentAt: self.world.elapsed,
      sentAwake: self.world.awake, timeout: timeout)
    self.pending[request.id] = request
    self.world.observe(.sent(self, request))
    self.connection.send(#"{"jsonrpc":"2.0","id":\#(request.id),"method":"\#(method)","params":\#(parameters)}"# + "\n")
    return request.id
  }

  /// Does something later on this connection.
  private func later(_ delay: Duration, _ work: @escaping (Program) -> Void) {
    self.connection.later(delay) { [unowned self] in work(self) }
  }

  /// What it asks first on a connection.
  private func ask() {
    switch self.plan.kind {
    case .asks: self.getPosition()
    case .follows(let interval, let distance):
      self.call("position.subscribe", #"{"minInterval":\#(interval),"minDistance":\#(distance)}"#)
    case .borrows(_, let duration):
      self.call("position.subscribe", #"{"minInterval":\#(ProgramPlan.Kind.borrowedInterval),"duration":\#(duration)}"#)
    case .collects(let interval, let timeout):
      self.call(
        "position.subscribe", #"{"mode":"deferred","minInterval":\#(interval),"deferredTimeout":\#(timeout)}"#)
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
    guard case .asks(_, let accuracy, let timeout, let maxAge) = self.plan.kind else { return }
    let age = maxAge.map { #","maxAge":\#($0)"# } ?? ""
    self.call("position.get", #"{"accuracy":\#(accuracy),"timeout":\#(timeout)\#(age)}"#, timeout: timeout)
  }

  // MARK: What it hears

  private func received(_ line: String) {
    guard let message = JSON(line) else { return self.world.observe(.strange(self, line)) }
    if let method = message["method"]?.string {
      self.world.observe(.notified(self, method: method, message))
      if method == "subscription.ended", case .borrows(let every, _) = self.plan.kind {
        self.later(every) { $0.ask() }
      }
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
      if case .asks(let every, _, _, _) = self.plan.kind { self.later(every) { $0.getPosition() } }
    case "region.add", "visit.subscribe":
      // A registration that was refused is tried again.
      guard !isRefused else {
        return self.later(.seconds(30)) { $0.call(request.method, request.parameters) }
      }
      if let durableName, self.waiting.isEmpty {
        self.call("durable.attach", #"{"name":"\#(durableName)"}"#)
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
    self.call("durable.acknowledge", #"{"name":"\#(durableName)","event":\#(Int(event))}"#)
  }
}
