/// When a receiver is on for its clients.
protocol Strategy {
  static var name: String { get }
  init()
  /// Whether the receiver is on from now on; asked in each second and after each fix.
  mutating func isOn(for clients: Clients, _ receiver: ReceiverModel) -> Bool
  /// Whether it has the receiver save power while it is on.
  func savesPower(for clients: Clients) -> Bool
  /// There was a fix.
  mutating func fixed(at now: Double, _ receiver: ReceiverModel)
}

extension Strategy {
  func savesPower(for clients: Clients) -> Bool { false }

  mutating func fixed(at now: Double, _ receiver: ReceiverModel) {}

  /// Runs it through a workload.
  static func run(_ workload: Workload, seed: UInt64, opening: Opening) -> Outcome {
    var strategy = Self()
    var receiver = ReceiverModel(seed: seed, opening: opening)
    var clients = Clients(workload)
    for second in 0..<workload.seconds {
      let now = Double(second)
      clients.advance(to: now)
      receiver.mayDrawLess = strategy.savesPower(for: clients)
      receiver.turn(on: strategy.isOn(for: clients, receiver), at: now)
      if receiver.tick(at: now, hasSky: workload.hasSky[second]) {
        clients.fix(at: workload.place(at: second))
        strategy.fixed(at: now, receiver)
        receiver.turn(on: strategy.isOn(for: clients, receiver), at: now)
      }
    }
    return Outcome(
      charge: receiver.charge(at: Double(workload.seconds)), onTime: receiver.onTime(at: Double(workload.seconds)),
      starts: receiver.starts,
      judgement: Judgement(clients.deliveries, of: workload))
  }
}

/// What came of a strategy in a workload.
struct Outcome {
  /// mA·s.
  var charge: Double
  /// Seconds.
  var onTime: Double
  var starts: Int
  var judgement: Judgement

  /// The share of the deadlines that were kept; `nil` if there were none.
  var kept: Double? {
    self.judgement.deadlines > 0 ? Double(self.judgement.kept) / Double(self.judgement.deadlines) : nil
  }

  static func + (one: Outcome, other: Outcome) -> Outcome {
    Outcome(
      charge: one.charge + other.charge, onTime: one.onTime + other.onTime, starts: one.starts + other.starts,
      judgement: one.judgement + other.judgement)
  }
}

struct AlwaysOn: Strategy {
  static let name = "always on"

  func isOn(for clients: Clients, _ receiver: ReceiverModel) -> Bool { true }
}

/// As GeoClue and the iOS libraries do it.
struct WhileSubscribed: Strategy {
  static let name = "on while anyone is subscribed"

  func isOn(for clients: Clients, _ receiver: ReceiverModel) -> Bool { clients.isAnybodyThere }
}
