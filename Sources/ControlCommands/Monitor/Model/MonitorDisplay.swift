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

  mutating func typed(_ key: Character) -> Consequence {
    if let view = View(rawValue: key) {
      (self.view, self.showsHelp) = (view, false)
      return .redraw
    }
    switch key {
    case " ": self.isFrozen.toggle()
    case "?", "h": self.showsHelp.toggle()
    case "q": return .quit
    default:
      // Any key leaves the help.
      guard self.showsHelp else { return .none }
      self.showsHelp = false
    }
    return .redraw
  }

  /// All keys, as the help shows them.
  static let keys: [(key: String, meaning: String)] =
    View.allCases.map { (String($0.rawValue), $0 == .all ? "everything" : $0.name) } + [
      ("space", "freeze the screen, and go on"), ("?", "show these keys"), ("q", "quit, as Ctrl-C does"),
    ]
}
