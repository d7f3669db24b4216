import EventLoop
import Glibc
import Positioning

/// The file of a recording, from its first fix on: whole whenever it is looked at, and never far behind.
///
/// A text grows in its place: what was recorded is written over the closing lines, with closing lines behind it, by one
/// call of the system. A program that is killed within that call, between two pages of the file, leaves a text that is
/// cut: all whole lines of it are good. A picture is drawn anew, and takes the place of the older one. When the recording
/// is over the file is written anew as a whole, with times that the whole recording confirms.
final class RecordingFile {
  /// How long what was written may be in the system's memory alone, which a power cut loses.
  private static let longestUnsynchronized = Duration.seconds(60)

  /// What stands at the path, and is this recording's.
  private struct Placed {
    let file: FileDescriptor
    /// Bytes without the closing lines.
    var length: Int
    var synchronized: Instant
  }

  let path: String
  private let format: TrackFormat
  private let replaces: Bool
  private var text: GrowingText?
  private var placed: Placed?

  /// - Parameter replaces: Whether it takes the place of what was there before it.
  init(_ file: TrackFile, replaces: Bool) {
    self.path = file.path
    self.format = file.format
    self.replaces = replaces
    self.text = GrowingText(file.format)
  }

  /// Whether anything of the recording is in it.
  var isPlaced: Bool { self.placed != nil }

  var rhythm: SavingRhythm { self.format.rhythm }

  /// Puts what was recorded so far into the file.
  ///
  /// - Parameter boot: When the machine booted by its own clock, in seconds since 1970.
  func save(_ recorder: TrackRecorder, boot: Double, now: Instant) throws(SystemError) {
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
    // Had it failed, it would be tried again as it was.
    self.text = text
  }

  /// Writes the whole track in the place of what is there of it.
  func write(_ track: RecordedTrack, now: Instant) throws(SystemError) {
    try self.place(length: 0, now: now) { file in
      var output = file
      self.format.write(track, to: &output)
    }
  }

  private func place(length: Int, now: Instant, _ write: (NewFile) -> Void) throws(SystemError) {
    let file = try NewFile(for: self.path)
    write(file)
    try file.commit(replacing: try self.mayReplace())
    self.placed = Placed(file: file.file, length: length, synchronized: now)
  }

  /// Whether what is at the path may go: what was there before only where that was said, and else what is there of this
  /// recording.
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

  /// Ends the file as it ended before. There is room for that, as it was there.
  private func restore(_ placed: Placed, closing: String) {
    do throws(SystemError) {
      let closing = Array(closing.utf8)
      try placed.file.write(closing, at: placed.length)
      try placed.file.truncate(to: placed.length + closing.count)
    } catch {
      // The disk takes nothing at all; what is tried next writes over what is there.
    }
  }
}
