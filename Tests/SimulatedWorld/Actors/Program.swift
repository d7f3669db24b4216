import Positioning
import WorldSupport

/// A program that uses the daemon by bytes on its socket, as its plan says.
package final class Program {
  package let plan: ProgramPlan
  private unowned let world: World
  private let connection: ProgramConnection
  private var requests = 0
  private var pending: [Int: Observation.Request] = [:]
  /// Of an agent: how many prompts it has had, and which of this connection were withdrawn.
  private var prompts = 0
  private var withdrawn: Set<Int> = []
  /// Of one that a unit starts: how often it ran, whether its registrations are there, and whether it comes to remove them.
  private var runs = 0
  private var isRegistered = false
  private var isEnding = false
  /// Whether this connection gets the events of the durable name.
  private var isAttached = false

  init(_ plan: ProgramPlan, in world: World) {
    self.plan = plan
    self.world = world
    self.connection = ProgramConnection(of: plan, to: DaemonProcess.socket, again: plan.kind.pause, in: world)
    self.connection.onBegin = { [unowned self] in
      self.world.observe(.connected(self))
      self.introduce()
    }
    self.connection.onLine = { [unowned self] in self.received($0) }
    self.connection.onEnd = { [unowned self] in
      (self.pending, self.withdrawn, self.isAttached) = ([:], [], false)
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
    case .inherits(let name): name
    case .isStarted: self.plan.name
    case _: nil
    }
  }

  /// The unit that starts it.
  var unit: String? { self.startPlan?.unit }

  private var startPlan: ProgramPlan.StartPlan? {
    if case .isStarted(let start) = self.plan.kind { start } else { nil }
  }

  // MARK: Its life

  func begin() { self.connection.begin() }

  /// Its unit is started.
  func start() {
    if !self.isRunning, !self.isEnding { self.begin() }
  }

  func end() {
    self.isEnding = true
    if self.startPlan != nil, !self.isConnected { return self.comeToRemove() }
    guard self.isRunning else { return }
    guard let durableName, self.isConnected else { return self.connection.end() }
    // What would outlive it goes with it.
    self.call("durable.remove", #"{"name":"\#(durableName)"}"#)
    self.world.machine.after(.seconds(40)) { [weak self] in self?.connection.end() }
  }

  /// It comes once more, takes what has waited, and removes what would outlive it.
  private func comeToRemove() {
    if !self.isRunning { self.begin() }
    self.world.machine.after(.seconds(60)) { [weak self] in self?.connection.end() }
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

  /// What it says and asks before all else on a connection.
  private func introduce() {
    if let start = self.startPlan { return self.take(up: start) }
    if self.plan.relay != nil {
      self.call("session.hello", #"{"name":"a relay","purpose":"a test","onBehalfOf":\#(self.plan.uid)}"#)
    } else if self.world.script.asks(self.plan) || self.plan.number != nil {
      self.call("authorization.get")
    } else {
      self.ask()
    }
  }

  /// What it asks for.
  private func ask() {
    switch self.plan.kind {
    case .asks: self.getPosition()
    case .follows(let interval, let distance):
      let integrity = self.plan.integrity.map { #","integrity":"\#($0)""# } ?? ""
      let heartbeat = self.plan.heartbeat.map { #","maxInterval":\#($0)"# } ?? ""
      self.call(
        "position.subscribe", #"{"minInterval":\#(interval),"minDistance":\#(distance)\#(integrity)\#(heartbeat)}"#)
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
      for region in regions { self.call("region.add", region.parameters.dropLast() + durable + "}") }
      if let again = self.plan.addsAgain { self.later(again) { $0.ask() } }
    case .visits(let isDurable):
      self.call("visit.subscribe", isDurable ? #"{"durable":{"name":"\#(self.plan.name)"}}"# : "{}")
    case .watchesStatus: self.call("status.subscribe")
    case .watchesSky: self.call("sky.subscribe")
    case .requests(let always, _):
      self.call(
        "authorization.request", #"{"level":"\#(always ? "always" : "whenInUse")","force":\#(always)}"#)
    case .answersPrompts: self.call("agent.register")
    case .inherits(let name): self.call("durable.attach", #"{"name":"\#(name)"}"#)
    case .subscribes(let parameters): self.call("position.subscribe", parameters)
    case .shutsDown:
      self.call("position.get", #"{"accuracy":100,"timeout":60}"#, timeout: 60)
      self.call("position.subscribe", #"{"maxUpdates":2}"#)
      self.connection.endSending()
    case .watchesAsGpsd, .readsSentences, .isStarted, .crowds, .lies: break
    }
  }

  /// Registers what it is to be started for, or takes what has waited.
  private func take(up start: ProgramPlan.StartPlan) {
    self.runs += 1
    guard !self.isEnding else {
      self.call("durable.attach", #"{"name":"\#(self.plan.name)"}"#)
      return self.later(.seconds(20)) { $0.call("durable.remove", #"{"name":"\#($0.plan.name)"}"#) }
    }
    if self.isRegistered {
      self.call("durable.attach", #"{"name":"\#(self.plan.name)"}"#)
    } else {
      self.register(start)
    }
  }

  private func register(_ start: ProgramPlan.StartPlan) {
    let durable = #""durable":{"name":"\#(self.plan.name)","wake":"\#(start.unit)"}"#
    for region in start.regions { self.call("region.add", "\(region.parameters.dropLast()),\(durable)}") }
    if let batches = start.batches {
      self.call(
        "position.subscribe",
        #"{"mode":"deferred","minInterval":30,"deferredTimeout":\#(batches),\#(durable)}"#)
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
    if let method = message["method"]?.string, let id = message["id"]?.number {
      self.world.observe(.prompted(self, message))
      guard method == "agent.authorize" else { return }
      return self.reply(to: message, Int(id))
    }
    if let method = message["method"]?.string {
      self.world.observe(.notified(self, method: method, message))
      if method == "subscription.ended", case .borrows(let every, _) = self.plan.kind {
        self.later(every) { $0.ask() }
      }
      return self.take(message)
    }
    if message["id"] == .null, message["error"]?["code"]?.number == -32007 {
      return self.world.observe(.refused(uid: self.plan.uid))
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
    case "session.hello", "authorization.get": if !isRefused { self.ask() }
    case "authorization.request":
      // The next time it is another program.
      if case .requests(_, let every) = self.plan.kind { self.later(every) { $0.disconnect() } }
    case "agent.register":
      if isRefused { self.later(.seconds(30)) { $0.call(request.method, request.parameters) } }
    case "position.get":
      if case .asks(let every, _, _, _) = self.plan.kind { self.later(every) { $0.getPosition() } }
    case "region.add", "visit.subscribe":
      // A registration that was refused is tried again.
      guard !isRefused else {
        return self.later(.seconds(30)) { $0.call(request.method, request.parameters) }
      }
      if let durableName, self.waiting.isEmpty, !self.isAttached || self.plan.addsAgain == nil {
        self.isAttached = true
        self.call("durable.attach", #"{"name":"\#(durableName)"}"#)
      }
    case "durable.attach" where self.startPlan != nil: self.attached(!isRefused)
    case "durable.remove":
      if let start = self.startPlan, !isRefused, !self.isEnding { self.register(start) }
    case "position.subscribe" where self.startPlan != nil && !isRefused:
      if self.waiting.isEmpty { self.call("durable.attach", #"{"name":"\#(self.plan.name)"}"#) }
    case "durable.attach":
      if isRefused { self.later(.seconds(30)) { $0.call(request.method, request.parameters) } }
    case "position.subscribe", "status.subscribe", "sky.subscribe":
      if isRefused { self.later(.seconds(30)) { $0.call(request.method, request.parameters) } }
    default: break
    }
  }

  /// A program that a unit has started has its events, or has to register anew.
  private func attached(_ isThere: Bool) {
    guard let start = self.startPlan, !self.isEnding else { return }
    self.isRegistered = isThere
    if !isThere {
      self.later(.seconds(30)) { $0.disconnect() }
    } else if self.runs % start.removesEvery == 0 {
      self.runs += 1
      self.later(.seconds(2)) { program in
        program.isRegistered = false
        program.call("durable.remove", #"{"name":"\#(program.plan.name)"}"#)
      }
    } else {
      // What has registered in a run leaves as all others do.
      self.later(start.stays) { program in
        if program.isRegistered, !program.isEnding { program.connection.end() }
      }
    }
  }

  /// Does with a prompt what the plan says.
  private func reply(to prompt: JSON, _ id: Int) {
    guard case .answersPrompts(let replies) = self.plan.kind, !replies.isEmpty else { return }
    let reply = replies[self.prompts % replies.count]
    self.prompts += 1
    self.later(reply.after) { program in
      guard !program.withdrawn.contains(id) else { return }
      let answer: String
      switch reply.act {
      case .allow(let isReduced, let isRemembered):
        let precision = isReduced ? #","precision":"reduced""# : ""
        answer = #""result":{"decision":"allow","remember":\#(isRemembered)\#(precision)}"#
      case .deny(let isRemembered): answer = #""result":{"decision":"deny","remember":\#(isRemembered)}"#
      case .fail: answer = #""error":{"code":1,"message":"nobody is there"}"#
      case .wait: return
      case .leave:
        program.world.observe(.replied(program, prompt: prompt, reply.act))
        return program.disconnect()
      }
      program.world.observe(.replied(program, prompt: prompt, reply.act))
      program.connection.send(#"{"jsonrpc":"2.0","id":\#(id),\#(answer)}"# + "\n")
    }
  }

  /// Acknowledges durable events.
  private func take(_ notification: JSON) {
    if notification["method"]?.string == "$/cancelRequest", let id = notification["params"]?["id"]?.number {
      self.withdrawn.insert(Int(id))
    }
    if let start = self.startPlan, self.runs % start.forgetsEvery == 0, !self.isEnding { return }
    guard let durableName, let event = notification["params"]?["eventId"]?.number else { return }
    self.call("durable.acknowledge", #"{"name":"\#(durableName)","event":\#(Int(event))}"#)
  }
}

extension ProgramPlan.Kind {
  /// Between two connections.
  fileprivate var pause: Duration { if case .shutsDown(let every) = self { every } else { .seconds(1) } }
}

extension ProgramPlan.RegionPlan {
  /// Of `region.add`, without a durable name.
  fileprivate var parameters: String {
    let (latitude, longitude) = Track.degrees(of: self.center)
    let dwell = self.dwellTime == nil ? "" : #","dwell""#
    let crossed = self.isForCrossing ? #","crossed""# : ""
    let notify = dwell + crossed == "" ? "" : #","notify":["enter","exit"\#(dwell)\#(crossed)]"#
    let seconds = [("dwellTime", self.dwellTime), ("latency", self.latency), ("expiresIn", self.expiresIn)]
      .map { name, value in value.map { #","\#(name)":\#($0)"# } ?? "" }.joined()
    return #"{"id":"\#(self.id)","circle":{"latitude":\#(latitude),"longitude":\#(longitude),"radius":\#(self.radius)}"#
      + notify + seconds + (self.reportsInitial ? #","initial":"ifInside""# : "") + "}"
  }
}
