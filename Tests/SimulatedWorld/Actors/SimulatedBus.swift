import EventLoop
import Positioning
import Systemd
import WorldSupport

/// A message bus, which keeps the order of what one of its programs sends to another.
///
/// One program has GeoClue's name, and the others call it.
final class SimulatedBus {
  /// What is on its way in one direction of one connection.
  final class Lane {
    fileprivate var waiting = Fifo<() -> Void>()
    /// Of a program that reads late.
    fileprivate let isSlow: Bool

    init(isSlow: Bool = false) { self.isSlow = isSlow }
  }

  /// A program's connection.
  final class Seat {
    let name: String
    let uid: UInt32
    let heard: (Signal) -> Void
    let outgoing = Lane()
    let incoming: Lane
    fileprivate(set) var isOpen = true

    init(_ name: String, uid: UInt32, isSlow: Bool, _ heard: @escaping (Signal) -> Void) {
      (self.name, self.uid, self.heard, self.incoming) = (name, uid, heard, Lane(isSlow: isSlow))
    }
  }

  enum Signal {
    case sent(path: String, interface: String, member: String, [BusValue])
    /// Nobody has GeoClue's name any more, or the bus is gone.
    case lost
  }

  /// A method of an object.
  struct Method {
    var path: String
    var interface: String
    var member: String
    var arguments: [BusValue]
  }

  typealias Outcome = Result<[BusValue], BusError>

  private unowned let world: World
  private var random: SeededRandom
  private(set) var isDown = false
  private var lastName = 0
  private var seats: [String: Seat] = [:]
  /// Who has GeoClue's name.
  private weak var owner: BusLink?

  init(in world: World, seed: UInt64) {
    self.world = world
    self.random = SeededRandom(seed: seed)
  }

  // MARK: The bus

  func stop() {
    self.isDown = true
    let owner = self.owner
    self.owner = nil
    for seat in self.seats.values.sorted(by: { $0.name < $1.name }) {
      seat.isOpen = false
      seat.heard(.lost)
    }
    self.seats = [:]
    owner?.lose()
  }

  func start() { self.isDown = false }

  func send(on lane: Lane, _ work: @escaping () -> Void) {
    lane.waiting.append(work)
    let isLate = Int.random(in: 0..<20, using: &self.random) == 0
    let range: ClosedRange<Int64> = lane.isSlow ? 500...15_000 : isLate ? 100...2000 : 1...20
    self.world.machine.after(.milliseconds(Int64.random(in: range, using: &self.random))) {
      if let work = lane.waiting.popFirst() { work() }
    }
  }

  // MARK: Programs

  /// A program joins; `nil`: there is no bus.
  func join(as uid: UInt32, isSlow: Bool, _ heard: @escaping (Signal) -> Void) -> Seat? {
    guard !self.isDown else { return nil }
    self.lastName += 1
    let seat = Seat(":1.\(self.lastName)", uid: uid, isSlow: isSlow, heard)
    self.seats[seat.name] = seat
    return seat
  }

  /// A program leaves, after what it has sent.
  func leave(_ seat: Seat) {
    guard seat.isOpen else { return }
    seat.isOpen = false
    self.send(on: seat.outgoing) { [weak self] in
      self?.seats[seat.name] = nil
      self?.owner?.ended(seat.name)
    }
  }

  /// Calls a method of the owner of GeoClue's name.
  func call(_ method: Method, from seat: Seat, then: @escaping (Outcome) -> Void) {
    self.send(on: seat.outgoing) { [weak self] in
      guard let self, seat.isOpen else { return }
      guard let owner = self.owner else {
        return self.give(.failure(BusError(name: Self.noOwner, message: "nobody has the name")), to: seat, then)
      }
      owner.called(method, by: seat, then)
    }
  }

  private static let noOwner = "org.freedesktop.DBus.Error.ServiceUnknown"

  func give(_ outcome: Outcome, to seat: Seat, _ then: @escaping (Outcome) -> Void) {
    self.send(on: seat.incoming) { if seat.isOpen { then(outcome) } }
  }

  func give(_ signal: Signal, to name: String?) {
    for seat in self.seats.values.sorted(by: { $0.name < $1.name }) where name.map({ $0 == seat.name }) ?? true {
      self.send(on: seat.incoming) { if seat.isOpen { seat.heard(signal) } }
    }
  }

  func user(of name: String) -> UInt32? { self.seats[name]?.uid }

  // MARK: The owner

  /// - Throws: If there is no bus.
  func connect(from loop: EventLoop) throws(SystemError) -> BusLink {
    guard !self.isDown else { throw SystemError(code: 111, call: "connect to the bus") }
    return BusLink(to: self, from: loop)
  }

  /// - Returns: Whether nobody else had the name.
  func take(_ link: BusLink) -> Bool {
    guard self.owner == nil || self.owner === link else { return false }
    self.owner = link
    return true
  }

  func left(_ link: BusLink) {
    guard self.owner === link else { return }
    self.owner = nil
    self.give(.lost, to: nil)
  }
}

/// The connection of a process that offers GeoClue's objects.
final class BusLink: MessageBus {
  private final class Slot: BusSlot {}

  private final class Reply: BusSlot {
    var handler: ((BusReply) -> Void)?

    init(_ handler: @escaping (BusReply) -> Void) { self.handler = handler }

    func give(_ reply: BusReply) { self.handler.take()?(reply) }
  }

  private final class Ear<Heard>: BusSlot {
    let handler: (Heard) -> Void

    init(_ handler: @escaping (Heard) -> Void) { self.handler = handler }
  }

  /// A call of a program.
  private final class Call: IncomingCall {
    let sender: String
    let path: String
    let interface: String
    let member: String
    let arguments: [BusValue]?
    private let answer: (SimulatedBus.Outcome) -> Void

    init(_ method: SimulatedBus.Method, sender: String, _ answer: @escaping (SimulatedBus.Outcome) -> Void) {
      (self.sender, self.answer) = (sender, answer)
      (self.path, self.interface, self.member) = (method.path, method.interface, method.member)
      self.arguments = method.arguments
    }

    func reply(_ values: [BusValue]) { self.answer(.success(values)) }
    func fail(_ error: BusError) { self.answer(.failure(error)) }
  }

  private let bus: SimulatedBus
  private weak var loop: EventLoop?
  private let outgoing = SimulatedBus.Lane()
  private let incoming = SimulatedBus.Lane()
  private var isOpen = true
  private weak var calls: Ear<any IncomingCall>?
  private weak var disconnection: Ear<BusSignal>?
  private weak var ends: Ear<BusSignal>?
  private var replies: [Reply] = []
  /// The calls that are not answered, by their number.
  private var unanswered: [Int: (seat: SimulatedBus.Seat, then: (SimulatedBus.Outcome) -> Void)] = [:]
  private var lastCall = 0

  init(to bus: SimulatedBus, from loop: EventLoop) { (self.bus, self.loop) = (bus, loop) }

  // MARK: From the process

  func call(
    _ method: BusMethod, _ arguments: [BusValue], within time: Duration?, handler: @escaping (BusReply) -> Void
  ) throws(SystemError) -> any BusSlot {
    try self.check()
    let reply = Reply(handler)
    self.replies.append(reply)
    self.bus.send(on: self.outgoing) { [weak self, weak reply] in
      guard let self, self.isOpen else { return }
      let answer = self.answer(method, arguments)
      self.receive { [weak self] in
        self?.replies.removeAll { $0.handler == nil || $0 === reply }
        reply?.give(answer)
      }
    }
    return Releasing(reply) { [weak self] in self?.replies.removeAll { $0 === reply } }
  }

  /// What ends with the slot that its owner has.
  private final class Releasing: BusSlot {
    private let reply: Reply
    private let forget: () -> Void

    init(_ reply: Reply, _ forget: @escaping () -> Void) { (self.reply, self.forget) = (reply, forget) }

    deinit {
      self.reply.handler = nil
      self.forget()
    }
  }

  private func answer(_ method: BusMethod, _ arguments: [BusValue]) -> BusReply {
    switch (method.member, arguments.first) {
    case ("RequestName", _):
      return .returned(BusReturn(values: [.uint32(self.bus.take(self) ? 1 : 3)], sender: "org.freedesktop.DBus"))
    case ("GetConnectionUnixUser", .string(let name)?):
      guard let uid = self.bus.user(of: name) else {
        return .failed(BusError(name: "org.freedesktop.DBus.Error.NameHasNoOwner", message: "there is no \(name)"))
      }
      return .returned(BusReturn(values: [.uint32(uid)], sender: "org.freedesktop.DBus"))
    case _: return .failed(BusError(.unknownMethod, "\(method.member)"))
    }
  }

  func takeCalls(_ handler: @escaping (any IncomingCall) -> Void) throws(SystemError) -> any BusSlot {
    let ear = Ear(handler)
    self.calls = ear
    return ear
  }

  func watch(_ rule: String, handler: @escaping (BusSignal) -> Void) throws(SystemError) -> any BusSlot {
    try self.check()
    let ear = Ear(handler)
    if rule == BusSignals.disconnection { self.disconnection = ear }
    if rule == BusSignals.ends { self.bus.send(on: self.outgoing) { [weak self, weak ear] in self?.ends = ear } }
    return ear
  }

  func signal(
    path: String, interface: String, member: String, _ values: [BusValue], to destination: String?
  ) throws(SystemError) {
    try self.check()
    self.bus.send(on: self.outgoing) { [weak self] in
      guard let self, self.isOpen else { return }
      self.bus.give(.sent(path: path, interface: interface, member: member, values), to: destination)
    }
  }

  private func check() throws(SystemError) {
    guard self.isOpen else { throw SystemError(code: 107, call: "write to the bus") }
  }

  // MARK: From the bus

  func called(
    _ method: SimulatedBus.Method, by seat: SimulatedBus.Seat, _ then: @escaping (SimulatedBus.Outcome) -> Void
  ) {
    self.lastCall += 1
    let number = self.lastCall
    self.unanswered[number] = (seat, then)
    let call = Call(method, sender: seat.name) { [weak self] in self?.answered(number, $0) }
    self.receive { [weak self] in self?.calls?.handler(call) }
  }

  private func answered(_ number: Int, _ outcome: SimulatedBus.Outcome) {
    self.bus.send(on: self.outgoing) { [weak self] in
      guard let self, self.isOpen else { return }
      guard let (seat, then) = self.unanswered.removeValue(forKey: number) else {
        preconditionFailure("the bridge answers a call twice")
      }
      self.bus.give(outcome, to: seat, then)
    }
  }

  /// A program has left the bus.
  func ended(_ name: String) {
    guard self.ends != nil else { return }
    let values: [BusValue] = [.string(name), .string(name), .string("")]
    self.receive { [weak self] in self?.ends?.handler(BusSignal(values: values, sender: "org.freedesktop.DBus")) }
  }

  /// In a turn of the process's loop.
  private func receive(_ work: @escaping () -> Void) {
    self.bus.send(on: self.incoming) { [weak self] in
      let delivery = Delivery { [weak self] in if self?.isOpen ?? false { work() } }
      self?.loop?.call { delivery.make() }
    }
  }

  /// The bus is gone.
  func lose() {
    guard self.isOpen else { return }
    self.isOpen = false
    let delivery = Delivery { [weak self] in
      guard let self else { return }
      let replies = self.replies
      self.replies = []
      for reply in replies { reply.give(.disconnected) }
      self.disconnection?.handler(BusSignal(values: [], sender: nil))
    }
    self.loop?.call { delivery.make() }
  }

  /// The process is gone: nobody answers its callers.
  func close() {
    guard self.isOpen else { return }
    self.isOpen = false
    let error = BusError(name: "org.freedesktop.DBus.Error.NoReply", message: "the program has left")
    for (_, (seat, then)) in self.unanswered.sorted(by: { $0.key < $1.key }) {
      self.bus.give(.failure(error), to: seat, then)
    }
    self.unanswered = [:]
    self.bus.left(self)
  }

  /// `@unchecked Sendable`: the world has one thread.
  private final class Delivery: @unchecked Sendable {
    let make: () -> Void

    init(_ make: @escaping () -> Void) { self.make = make }
  }
}
