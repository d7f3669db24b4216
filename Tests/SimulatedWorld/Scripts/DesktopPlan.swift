import Positioning

/// A program on the message bus, which uses GeoClue's interface again and again.
package struct DesktopPlan: Hashable, Sendable {
  package enum Ending: Hashable, Sendable, CaseIterable {
    case stops
    case deletes
    /// It leaves the bus, as a program that is killed.
    case vanishes
  }

  package var name: String
  package var uid: UInt32
  package var from: Duration
  package var to: Duration
  /// As in GeoClue; `nil`: it does not say.
  package var level: UInt32?
  /// Metres and seconds, as in GeoClue.
  package var distance: UInt32 = 0
  package var time: UInt32 = 0
  /// What it sets as its threshold of time in the middle of its stay; `nil`: nothing.
  package var nextTime: UInt32?
  /// How long it needs locations, and how long it then needs none.
  package var stays: Duration
  package var pauses: Duration
  package var ending = Ending.stops
  /// Whether it reads late what the bus has for it.
  package var isSlow = false
  /// How many clients it creates besides, which it never starts.
  package var hoards = 0
  /// Whether it also calls the objects of others.
  package var isIntruding = false

  package init(
    _ name: String, uid: UInt32 = 1000, from: Duration, to: Duration, stays: Duration, pauses: Duration
  ) {
    (self.name, self.uid, self.from, self.to, self.stays, self.pauses) = (name, uid, from, to, stays, pauses)
  }

  /// Whether it asks for no more than a city, and gets significant changes.
  var isCoarse: Bool { self.level.map { (1..<5).contains($0) } ?? false }

  var text: String {
    "level \(self.level.map { "\($0)" } ?? "not said"), after \(self.distance) m and \(self.time) s"
      + "\(self.nextTime.map { ", then \($0) s" } ?? ""); stays \(self.stays.seconds) s, pauses \(self.pauses.seconds) s,"
      + " \(self.ending)\(self.isSlow ? "; reads late" : "")\(self.hoards > 0 ? "; hoards \(self.hoards)" : "")"
      + "\(self.isIntruding ? "; intrudes" : "")"
  }

  /// The user of the process that offers GeoClue's objects.
  package static let bridge: UInt32 = 1007
}
