package import Positioning
import Systemd
import WorldSupport

/// A program that uses GeoClue's interface on the message bus.
package final class DesktopProgram {
  /// What can be seen of it.
  package enum Seen {
    /// It calls Start.
    case starts
    case started
    /// Start failed, with this error.
    case refused(String)
    /// It has stopped, removed its client or left, and needs nothing from now on.
    case ends
    /// The object, the bridge or the bus is gone.
    case lost
    case active(Bool)
    /// A location was announced.
    case updated
    /// It has read a location that was announced.
    case located(Place)
    /// It could not read a location that was announced.
    case unread
    /// `Location` is `/` from now on.
    case forgotten
    /// It set its threshold of time.
    case changed(time: UInt32)
    /// It called an object of another program; `nil`: that worked.
    case intruded(error: String?)
    /// So many clients were created at its request; why there is none more.
    case hoarded(Int, error: String?)
  }

  /// What it read of a location.
  package struct Place: Hashable, Sendable {
    package var place: Track.Place
    /// Metres; below 0: unknown.
    package var accuracy: Double
    package var altitude: Double
    package var speed: Double
    package var heading: Double
    /// When the fix arrived.
    package var time: Timestamp
  }

  package let plan: DesktopPlan
  private unowned let world: World
  private let bus: SimulatedBus
  private var seat: SimulatedBus.Seat?
  private(set) var client: String?
  /// Whether it has called Start, and nothing has ended that.
  private(set) var isNeeding = false
  /// Whether Start has returned, and nothing has ended that.
  package private(set) var isStarted = false
  /// Of its present try; what belongs to an earlier one means nothing.
  private var life = 0

  init(_ plan: DesktopPlan, on bus: SimulatedBus, in world: World) {
    (self.plan, self.bus, self.world) = (plan, bus, world)
  }

  private static let root = "/org/freedesktop/GeoClue2"
  private static let interface = "org.freedesktop.GeoClue2"
  private static let properties = "org.freedesktop.DBus.Properties"

  private func see(_ seen: Seen) { self.world.observe(.desktop(self, seen)) }

  private func later(_ pause: Duration, _ work: @escaping () -> Void) {
    let life = self.life
    self.world.machine.after(pause) { [weak self] in if let self, self.life == life { work() } }
  }

  // MARK: Its life

  func begin() {
    self.life += 1
    guard self.world.elapsed < self.plan.to else { return }
    if self.seat == nil {
      self.seat = self.bus.join(as: self.plan.uid, isSlow: self.plan.isSlow) { [weak self] in self?.heard($0) }
    }
    guard self.seat != nil else { return self.later(.seconds(5)) { [unowned self] in self.begin() } }
    self.call("\(Self.root)/Manager", "\(Self.interface).Manager", "GetClient") { [unowned self] outcome in
      guard case .success(let values) = outcome, case .objectPath(let path)? = values.first else {
        return self.later(.seconds(5)) { [unowned self] in self.begin() }
      }
      self.client = path
      self.hoard()
      self.start(path)
    }
  }

  /// The script has no more of it.
  func end() {
    self.life += 1
    self.leave()
  }

  private func start(_ path: String) {
    self.set("DesktopId", .string(self.plan.name))
    if let level = self.plan.level { self.set("RequestedAccuracyLevel", .uint32(level)) }
    self.set("DistanceThreshold", .uint32(self.plan.distance))
    self.set("TimeThreshold", .uint32(self.plan.time))
    self.see(.changed(time: self.plan.time))
    self.isNeeding = true
    self.see(.starts)
    self.call(path, "\(Self.interface).Client", "Start") { [unowned self] outcome in
      switch outcome {
      case .success:
        self.isStarted = true
        self.see(.started)
        self.stay()
      case .failure(let error):
        self.isNeeding = false
        self.see(.refused(error.name))
        self.later(self.plan.pauses) { [unowned self] in self.begin() }
      }
    }
  }

  private func stay() {
    if let time = self.plan.nextTime {
      self.later(self.plan.stays / 2) { [unowned self] in
        self.set("TimeThreshold", .uint32(time))
        self.see(.changed(time: time))
      }
    }
    self.later(self.plan.stays) { [unowned self] in
      switch self.plan.ending {
      case .stops: if let client { self.call(client, "\(Self.interface).Client", "Stop") { _ in } }
      case .deletes:
        if let client {
          let manager = "\(Self.interface).Manager"
          self.call("\(Self.root)/Manager", manager, "DeleteClient", [.objectPath(client)]) { _ in }
        }
        self.client = nil
      case .vanishes: self.leave()
      }
      self.needsNothing(.ends)
      self.later(self.plan.pauses) { [unowned self] in self.begin() }
    }
  }

  private func leave() {
    if let seat { self.bus.leave(seat) }
    (self.seat, self.client) = (nil, nil)
    self.needsNothing(.ends)
  }

  private func needsNothing(_ seen: Seen) {
    guard self.isNeeding else { return }
    (self.isNeeding, self.isStarted) = (false, false)
    self.see(seen)
  }

  // MARK: The bus

  private func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = [],
    then: @escaping (SimulatedBus.Outcome) -> Void
  ) {
    guard let seat else { return }
    let life = self.life
    let method = SimulatedBus.Method(path: path, interface: interface, member: member, arguments: arguments)
    self.bus.call(method, from: seat) { [weak self] outcome in if let self, self.life == life { then(outcome) } }
  }

  private func set(_ property: String, _ value: BusValue) {
    guard let client else { return }
    let arguments: [BusValue] = [.string("\(Self.interface).Client"), .string(property), .variant(value)]
    self.call(client, Self.properties, "Set", arguments) { _ in }
  }

  private func heard(_ signal: SimulatedBus.Signal) {
    switch signal {
    case .lost:
      self.life += 1
      if self.seat?.isOpen == false { self.seat = nil }
      self.client = nil
      self.needsNothing(.lost)
      self.later(.seconds(2)) { [unowned self] in self.begin() }
    case .sent(let path, _, let member, let values):
      guard path == self.client else { return }
      if member == "LocationUpdated", case .objectPath(let new)? = values.last {
        self.see(.updated)
        self.read(new)
      }
      guard member == "PropertiesChanged", case .properties(let changed)? = values.dropFirst().first else { return }
      if case .boolean(let isActive)? = changed["Active"] { self.see(.active(isActive)) }
      if case .objectPath("/")? = changed["Location"] { self.see(.forgotten) }
    }
  }

  private func read(_ path: String) {
    self.call(path, Self.properties, "GetAll", [.string("\(Self.interface).Location")]) { [unowned self] outcome in
      guard case .success(let values) = outcome, case .properties(let properties)? = values.first,
        let place = Place(properties)
      else {
        return self.see(.unread)
      }
      self.see(.located(place))
      if self.plan.isIntruding { self.intrude(path) }
    }
  }

  // MARK: Mischief

  private func hoard() {
    guard self.plan.hoards > 0 else { return }
    var made = 0
    for number in 1...self.plan.hoards {
      self.call("\(Self.root)/Manager", "\(Self.interface).Manager", "CreateClient") { [unowned self] outcome in
        var error: String?
        switch outcome {
        case .success: made += 1
        case .failure(let failure): error = failure.name
        }
        if number == self.plan.hoards { self.see(.hoarded(made, error: error)) }
      }
    }
  }

  /// Calls the objects of other programs.
  private func intrude(_ location: String) {
    let others = self.world.desktopPrograms.filter { $0 !== self }.compactMap(\.client)
    for other in others {
      let arguments: [BusValue] = [.string("\(Self.interface).Client"), .string("Location")]
      self.call(other, Self.properties, "Get", arguments) { [unowned self] outcome in
        switch outcome {
        case .success: self.see(.intruded(error: nil))
        case .failure(let error): self.see(.intruded(error: error.name))
        }
      }
    }
  }
}

extension DesktopProgram.Place {
  fileprivate init?(_ properties: [String: BusValue]) {
    func number(_ name: String) -> Double? { if case .double(let number)? = properties[name] { number } else { nil } }
    guard let latitude = number("Latitude"), let longitude = number("Longitude"), let accuracy = number("Accuracy"),
      let altitude = number("Altitude"), let speed = number("Speed"), let heading = number("Heading"),
      case .structure(let parts)? = properties["Timestamp"], case .uint64(let seconds)? = parts.first,
      case .uint64(let microseconds)? = parts.last
    else {
      return nil
    }
    self.init(
      place: Track.place(latitude: latitude, longitude: longitude), accuracy: accuracy, altitude: altitude,
      speed: speed, heading: heading, time: Timestamp(milliseconds: Int64(seconds * 1000 + microseconds / 1000)))
  }
}
