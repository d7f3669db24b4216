package import EventLoop
package import Glibc
package import Positioning

/// The file of a recording from its first fix on: always complete, and never far behind.
///
/// A text grows in place: one system call overwrites the closing lines with new lines and closing lines. If the program
/// is killed within that call, between two pages of the file, the text is cut, and its whole lines are valid. A drawing
/// is drawn again and replaces the older one. At the end of the recording the file is written again as a whole, with
/// times confirmed by the whole recording.
package final class RecordingFile {
  /// How long written data may stay in the system's cache only, where a power failure loses it.
  private static let longestUnsynchronized = Duration.seconds(60)

  /// The file at the path, if it is that of this recording.
  private struct Placed {
    let file: FileDescriptor
    /// The number of bytes without the closing lines.
    var length: Int
    var synchronized: Instant
  }

  package let path: String
  private let format: TrackFormat
  private let replaces: Bool
  private let mode: mode_t?
  private let waypoints: [TrackWaypoint]
  private var text: GrowingText?
  private var placed: Placed?

  /// - Parameters:
  ///   - replaces: Whether it replaces an existing file.
  ///   - mode: Who may read and write it; `nil`: its owner.
  ///   - waypoints: Places to be written with the track.
  package init(_ file: TrackFile, replaces: Bool, mode: mode_t? = nil, waypoints: [TrackWaypoint] = []) {
    self.mode = mode
    self.path = file.path
    self.format = file.format
    self.replaces = replaces
    self.waypoints = waypoints
    self.text = GrowingText(file.format, waypoints: waypoints)
  }

  /// Whether the file has anything of the recording.
  package var isPlaced: Bool { self.placed != nil }

  package var savingSchedule: SavingSchedule { self.format.savingSchedule }

  /// Saves the recording so far to the file.
  ///
  /// - Parameter boot: The time of the boot by the machine's clock, in seconds since 1970.
  package func save(_ recorder: TrackRecorder, boot: Double, now: Instant) throws(SystemError) {
    guard var text else {
      if let track = RecordedTrack(recorder, boot: boot) { try self.write(track, now: now) }
      return
    }
    let addition = text.addition(recorder, boot: boot)
    guard !addition.isEmpty else { return }
    if self.placed == nil {
      try self.place(length: addition.utf8.count, now: now) { $0.write(addition + text.closing) }
    } else {
      try self.add(addition, closing: text.closing, now: now)
    }
    // After a failure, the same addition is tried again.
    self.text = text
  }

  /// Replaces the file with the whole track.
  package func write(_ track: RecordedTrack, now: Instant) throws(SystemError) {
    var track = track
    track.waypoints = self.waypoints
    try self.place(length: 0, now: now) { [track] file in
      var output = file
      self.format.write(track, to: &output)
    }
  }

  private func place(length: Int, now: Instant, _ write: (NewFile) -> Void) throws(SystemError) {
    let file = try NewFile(for: self.path, mode: self.mode)
    write(file)
    try file.commit(replacing: try self.mayReplace())
    self.placed = Placed(file: file.file, length: length, synchronized: now)
  }

  /// Whether the file at the path may be replaced: an earlier file only if that was requested, and this recording's own
  /// file always.
  private func mayReplace() throws(SystemError) -> Bool {
    if self.replaces { return true }
    guard let placed, let there = FileIdentity(path: self.path) else { return false }
    return try there == FileIdentity(placed.file)
  }

  private func add(_ addition: String, closing: String, now: Instant) throws(SystemError) {
    guard var placed else { return }
    do throws(SystemError) {
      try placed.file.write(Array((addition + closing).utf8), at: placed.length)
      if now - placed.synchronized >= Self.longestUnsynchronized {
        try placed.file.synchronize()
        placed.synchronized = now
      }
    } catch {
      self.restore(placed, closing: closing)
      throw SystemError(code: error.code, call: "write \(self.path)")
    }
    placed.length += addition.utf8.count
    self.placed = placed
  }

  /// Restores the previous end of the file; there is room for it.
  private func restore(_ placed: Placed, closing: String) {
    do throws(SystemError) {
      let closing = Array(closing.utf8)
      try placed.file.write(closing, at: placed.length)
      try placed.file.truncate(to: placed.length + closing.count)
    } catch {
      // The disk cannot be written at all; the next attempt overwrites the rest.
    }
  }
}

/// When a growing recording is saved, so that a crash loses little: the first fix at once, later ones together.
package struct SavingSchedule: Hashable, Sendable {
  /// The longest time that a fix waits.
  let interval: Duration
  /// The most fixes that wait; `nil`: only the time counts.
  let fixes: Int?
  private var waiting = 0
  private var hasTried = false
  /// When the waiting fixes must be saved.
  package private(set) var due: Instant?

  init(interval: Duration, fixes: Int?) {
    self.interval = interval
    self.fixes = fixes
  }

  /// A fix was recorded.
  ///
  /// - Returns: Whether to save now.
  package mutating func fixed(now: Instant) -> Bool {
    guard self.hasTried else { return true }
    self.waiting += 1
    let due = self.due ?? now + self.interval
    self.due = due
    return now >= due || self.fixes.map { self.waiting == $0 } ?? false
  }

  /// Everything was saved.
  package mutating func saved() {
    (self.waiting, self.hasTried, self.due) = (0, true, nil)
  }

  /// Saving failed, and is tried again later.
  package mutating func failed(now: Instant) {
    (self.hasTried, self.due) = (true, now + self.interval)
  }
}

extension TrackFormat {
  /// A drawing is drawn again each time; a text only grows.
  var savingSchedule: SavingSchedule {
    switch self {
    case .gpx, .geojson, .kml, .csv: SavingSchedule(interval: .seconds(10), fixes: 100)
    case .svg: SavingSchedule(interval: .seconds(60), fixes: nil)
    }
  }
}
