import Positioning
import UBX

/// Predicted orbits out of the files of a folder: those of the present time, each message checked.
struct PredictedOrbits: Hashable, Sendable {
  /// A file may be as long: five weeks of two systems take some 200 KB.
  static let mostFileBytes = 2 << 20
  static let mostFiles = 16
  /// What is given at most: more satellites than all systems have.
  static let mostMessages = 256

  private(set) var messages: [AssistMessage] = []
  /// What is wrong with files, each as a sentence that begins with the file's name.
  private(set) var problems: [String] = []

  /// Adds what a file has for this time.
  ///
  /// - Parameters:
  ///   - name: For what is wrong with it.
  ///   - bytes: Messages of UBX, or sentences of a MediaTek, and nothing else.
  mutating func add(_ bytes: [UInt8], name: String, for dialect: AssistDialect, at time: Timestamp) {
    switch dialect {
    case .ublox: self.addMessages(bytes, name, at: time)
    case .mediaTek: self.addSentences(bytes, name, at: time)
    }
  }

  mutating func addProblem(_ problem: String) { self.problems.append(problem) }

  private mutating func addMessages(_ bytes: [UInt8], _ name: String, at time: Timestamp) {
    // A MediaTek's file beside a u-blox's is no mistake.
    guard bytes.first == UBXFrame.sync.0 else {
      if bytes.first != UInt8(ascii: "$") { self.problems.append("\(name) is no file of UBX messages") }
      return
    }
    let (frames, read) = UBXFrame.sequence(bytes)
    guard read == bytes.count else {
      self.problems.append("\(name) has no UBX message at byte \(read)")
      return
    }
    // A position or a time of somewhere else, and what another receiver knows, are not for this one.
    guard
      frames.allSatisfy({
        $0.isAssistance && !$0.isKnowledge && $0.identifier != UBXFrame.Assistance.initial
          && $0.messageClass == UBXFrame.MessageClass.assistance
      })
    else {
      self.problems.append("\(name) has messages that are no orbits")
      return
    }
    // Each is right at noon of its day; where days are left out, the next is the best there is.
    let noons = Set(frames.compactMap(\.predictedNoon))
    guard let nearest = noons.min(by: { Self.distance($0, time) < Self.distance($1, time) }) else {
      self.problems.append("\(name) has no predicted orbits")
      return
    }
    guard Self.distance(nearest, time) <= Self.reach else {
      self.problems.append("\(name) is for other days: the nearest is \("\(nearest)".prefix(10))")
      return
    }
    let present = frames.filter { frame in frame.predictedNoon.map { $0 == nearest } ?? true }
    self.add(present.map { .ublox($0) }, name)
  }

  private mutating func addSentences(_ bytes: [UInt8], _ name: String, at time: Timestamp) {
    guard bytes.first == UInt8(ascii: "$") else {
      if bytes.first != UBXFrame.sync.0 { self.problems.append("\(name) is no file of PMTK721 sentences") }
      return
    }
    var orbits: [MediaTekAssistance] = []
    for line in bytes.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
      guard let orbit = MediaTekAssistance(orbit: line) else {
        self.problems.append("\(name) has a line that is no PMTK721 sentence with a right sum")
        return
      }
      orbits.append(orbit)
    }
    let present = orbits.filter { orbit in
      orbit.orbitBegin.map { $0 <= time && time - $0 < MediaTekAssistance.orbitValidity } ?? false
    }
    guard !present.isEmpty else {
      self.problems.append("\(name) is for another time")
      return
    }
    self.add(present.map { .mediaTek($0) }, name)
  }

  private mutating func add(_ messages: [AssistMessage], _ name: String) {
    guard self.messages.count + messages.count <= Self.mostMessages else {
      self.problems.append("\(name) has more than \(Self.mostMessages) messages for one time")
      return
    }
    self.messages += messages
  }

  /// How far from noon of its day an orbit may still be given.
  private static let reach: Duration = .seconds(36 * 3600)

  private static func distance(_ first: Timestamp, _ second: Timestamp) -> Duration {
    first < second ? second - first : first - second
  }
}
