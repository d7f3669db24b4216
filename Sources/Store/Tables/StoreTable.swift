/// The tables of the database. What is done with several of them at once follows from what each says of itself here.
enum StoreTable: String, CaseIterable {
  case clocks, names, retired, regions, positions, events, unreadable, decisions
  case masterSwitch = "master_switch"
  case disguise
  case visitMemories = "visit_memories"
  case wakeStarts = "wake_starts"
  case stoppedReceiver = "stopped_receiver"
  case receiverMemory = "receiver_memory"

  /// Whether its moments count from the boot of a row of `clocks`, which is kept as long.
  var refersToClock: Bool {
    switch self {
    case .regions, .positions, .events, .decisions, .disguise, .visitMemories, .wakeStarts, .receiverMemory: true
    case .clocks, .names, .retired, .unreadable, .masterSwitch, .stoppedReceiver: false
    }
  }

  /// Whether its rows belong to a durable name.
  var belongsToName: Bool {
    switch self {
    case .regions, .positions, .events: true
    case .clocks, .names, .retired, .unreadable, .decisions, .masterSwitch, .disguise, .visitMemories, .wakeStarts,
      .stoppedReceiver, .receiverMemory:
      false
    }
  }

  /// Whether the file beside the database has it too.
  var isOfPermission: Bool {
    switch self {
    case .decisions, .masterSwitch, .disguise: true
    case .clocks, .names, .retired, .unreadable, .regions, .positions, .events, .visitMemories, .wakeStarts,
      .stoppedReceiver, .receiverMemory:
      false
    }
  }

  /// Deletes the clocks to which no row refers.
  static let deletionOfUnusedClocks: String = {
    let used = Self.allCases.filter(\.refersToClock).map { "SELECT clock FROM \($0.rawValue)" }
    return "DELETE FROM clocks WHERE key NOT IN (\(used.joined(separator: " UNION ")))"
  }()
}
