@testable import ControlCommands

extension [Line] {
  /// As written into a pipe.
  var written: [String] { self.map { $0.written(isColored: false) } }
}

extension [String] {
  /// As written into a pipe, as lines.
  var written: [String] { self.map { Line($0) }.written }
}
