@testable import ControlCommands

extension [Line] {
  /// As they are written into a pipe.
  var written: [String] { self.map { $0.written(isColored: false) } }
}

extension [String] {
  /// As they are written, as lines, into a pipe.
  var written: [String] { self.map { Line($0) }.written }
}
