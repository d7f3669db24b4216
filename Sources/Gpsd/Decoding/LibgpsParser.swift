import CGPS

/// A safe wrapper of the C shim over libgps: the only file of this module with unsafe memory access.
@safe
final class LibgpsParser {
  private let parser: OpaquePointer

  convenience init() { unsafe self.init(adopting: cgps_parser_new()) }

  /// - Parameter parser: `nil` if there was no memory for it.
  init(adopting parser: OpaquePointer?) {
    guard let parser = unsafe parser else { fatalError("out of memory") }
    unsafe self.parser = parser
  }

  deinit {
    unsafe cgps_parser_free(self.parser)
  }

  /// Reads one line without its end. ``text(_:)`` and ``satellite(_:)`` refer to this line until the next call.
  func parse(_ line: [UInt8]) -> cgps_report {
    unsafe line.withUnsafeBytes { bytes in
      unsafe cgps_parse(self.parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
  }

  /// Invalid UTF-8 is repaired, because the text is a path or a message for people.
  func text(_ text: cgps_text) -> String? {
    guard let bytes = unsafe cgps_line_text(self.parser, text) else { return nil }
    return unsafe String(cString: bytes)
  }

  func satellite(_ index: Int) -> cgps_satellite {
    unsafe cgps_line_satellite(self.parser, index)
  }
}
