import CGPS

/// The C shim over libgps, made safe: the only file of this module that touches memory by hand.
@safe
final class LibgpsParser {
  private let parser: OpaquePointer

  init() {
    guard let parser = unsafe cgps_parser_new() else { fatalError("out of memory") }
    unsafe self.parser = parser
  }

  deinit {
    unsafe cgps_parser_free(self.parser)
  }

  /// Reads one line without its end. ``text(_:)`` and ``satellite(_:)`` speak of this line until the next.
  func parse(_ line: [UInt8]) -> cgps_report {
    unsafe line.withUnsafeBytes { bytes in
      unsafe cgps_parse(self.parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
  }

  /// What is no UTF-8 is repaired: it is a path, or words for people.
  func text(_ text: cgps_text) -> String? {
    guard let bytes = unsafe cgps_line_text(self.parser, text) else { return nil }
    return unsafe String(cString: bytes)
  }

  func satellite(_ index: Int) -> cgps_satellite {
    unsafe cgps_line_satellite(self.parser, index)
  }
}
