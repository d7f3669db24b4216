import Notations

/// What the person at the terminal has chosen to see.
struct MonitorDisplay: Hashable, Sendable {
  /// The subject of the screen, by its key.
  enum View: Character, CaseIterable, Sendable {
    case all = "1"
    case sky = "2"
    case power = "3"
    case programs = "4"
    case events = "5"

    var name: String {
      switch self {
      case .all: "all"
      case .sky: "sky"
      case .power: "power"
      case .programs: "programs"
      case .events: "events"
      }
    }
  }

  /// What follows from a key.
  enum Consequence: Hashable, Sendable {
    case none
    /// Another picture.
    case redraw
    case quit
  }

  var view = View.all
  /// The picture stands still, while events are collected.
  var isFrozen = false
  var showsHelp = false
  /// The units and the notation of places.
  var format = PositionFormat()

  mutating func typed(_ key: Character) -> Consequence {
    if let view = View(rawValue: key) {
      (self.view, self.showsHelp) = (view, false)
      return .redraw
    }
    switch key {
    case " ": self.isFrozen.toggle()
    case "?", "h": self.showsHelp.toggle()
    case "u": self.format.units = self.format.units.next
    case "c": self.format.notation = self.format.notation.next
    case "q": return .quit
    default:
      // Any key leaves the help.
      guard self.showsHelp else { return .none }
      self.showsHelp = false
    }
    return .redraw
  }

  /// All keys, as the help shows them.
  var keys: [(key: String, meaning: String)] {
    View.allCases.map { (String($0.rawValue), $0 == .all ? "everything" : $0.name) } + [
      ("u", "other units than \(self.format.units.rawValue) ones"),
      ("c", "another notation of places than \(self.format.notation.words)"), ("space", "freeze the screen, and go on"),
      ("?", "show these keys"), ("q", "quit, as Ctrl-C does"),
    ]
  }
}

extension CaseIterable where Self: Equatable, AllCases.Index == Int {
  /// The one after it, and the first after the last.
  fileprivate var next: Self {
    let all = Self.allCases
    guard let place = all.firstIndex(of: self) else { return self }
    return all[(place + 1) % all.count]
  }
}
