/// Cuts the bytes of a stream into lines that end in LF or CR LF.
///
/// A line longer than the limit is dropped whole and counted: gpsd's longest lines are 10 KB, but the program at its
/// address need not be gpsd.
package struct LineSplitter: Sendable {
  /// The longest line that is kept, without its end.
  package static let limit = 65_536

  /// The number of lines that were too long.
  package private(set) var droppedLines = 0
  /// The line whose end has not arrived; never longer than the limit and one CR.
  private var unfinished: [UInt8] = []
  private var isDropping = false

  package init() {}

  /// The lines that these bytes complete, without their ends and without empty lines.
  package mutating func lines(completedBy bytes: [UInt8]) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      self.keep(rest[..<end])
      if let line = self.finish() {
        lines.append(line)
      }
      rest = rest[(end + 1)...]
    }
    self.keep(rest)
    return lines
  }

  private mutating func keep(_ part: ArraySlice<UInt8>) {
    guard !self.isDropping else { return }
    if self.unfinished.count + part.count > Self.limit + 1 {
      self.isDropping = true
      self.unfinished = []
    } else {
      self.unfinished += part
    }
  }

  private mutating func finish() -> [UInt8]? {
    var line = self.unfinished
    self.unfinished = []
    if line.last == UInt8(ascii: "\r") {
      line.removeLast()
    }
    if self.isDropping || line.count > Self.limit {
      self.isDropping = false
      self.droppedLines += 1
      return nil
    }
    return line.isEmpty ? nil : line
  }
}
