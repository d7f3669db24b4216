import Positioning

// What a state means for the reader's eye.

extension PowerState.State {
  var emphasis: Line.Emphasis? {
    switch self {
    case .on: .good
    case .turningOn, .turningOff, .unknown: .doubtful
    case .released, .off: nil
    }
  }
}

extension Availability {
  var emphasis: Line.Emphasis? {
    switch self {
    case .available: .good
    case .searching, .stale, .accuracyLimited: .doubtful
    case .untrusted, .lost, .receiverMissing, .gpsdFull, .gpsdDown, .denied: .bad
    case .poweredDown, .unknown: nil
    }
  }
}

extension GpsdState {
  var emphasis: Line.Emphasis? {
    switch self {
    case .streaming: .good
    case .idle, .unknown: nil
    case .opening: .doubtful
    case .receiverMissing, .gpsdFull, .gpsdDown: .bad
    }
  }
}

extension Integrity {
  var emphasis: Line.Emphasis {
    switch self {
    case .trusted: .good
    case .suspect: .doubtful
    case .untrusted: .bad
    }
  }
}
