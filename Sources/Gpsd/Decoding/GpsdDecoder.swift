import CGPS
package import Positioning
package import ReceiverPorts
package import UBX

/// Reads gpsd's lines, one at a time.
///
/// The parser is libgps behind a shim that protects it from input that it cannot handle. The list of devices, on which
/// libgps loops for ever, is read here. A decoder belongs to one thread.
package final class GpsdDecoder {
  private let parser = LibgpsParser()

  package init() {}

  /// The version of libgps that this was built with, for the log.
  package static var libraryVersion: String { "API \(cgps_api_major()).\(cgps_api_minor())" }

  /// - Parameters:
  ///   - line: without its end.
  ///   - arrival: when the line arrived.
  package func decode(_ line: [UInt8], arrival: Instant) -> GpsdMessage {
    // A message of the receiver, as gpsd passes it on. All that gpsd says itself begins with a brace.
    if line.first != UInt8(ascii: "{") {
      switch PacketLine.content(line) {
      case .reception(let reception): return .reception(ReceptionReport(reception: reception, arrival: arrival))
      case .assistance(let frame): return .assistance(frame)
      case nil: return .invalid
      }
    }
    let report = self.parser.parse(line)
    let device = self.parser.text(CGPS_TEXT_DEVICE)
    switch report.class {
    case CGPS_TPV: return .position(ReportMapping.position(report, device: device, arrival: arrival))
    case CGPS_SKY:
      let satellites = report.has_satellites ? (0..<report.satellite_count).map(self.parser.satellite) : nil
      return .sky(ReportMapping.sky(report, satellites: satellites, device: device, arrival: arrival))
    case CGPS_ATT: return .attitude(ReportMapping.attitude(report, device: device, arrival: arrival))
    case CGPS_GST: return .errorEstimate(ReportMapping.errorEstimate(report, device: device, arrival: arrival))
    case CGPS_DEVICE: return device.map { self.notice(report, path: $0) } ?? .invalid
    case CGPS_DEVICES: return DeviceList.decode(line).map(GpsdMessage.devices) ?? .invalid
    case CGPS_WATCH: return .watch(device: device)
    case CGPS_VERSION:
      return .version(
        release: self.parser.text(CGPS_TEXT_RELEASE) ?? "unknown", major: self.known(report.protocol_major),
        minor: self.known(report.protocol_minor))
    case CGPS_ERROR: return .error(self.parser.text(CGPS_TEXT_MESSAGE) ?? "")
    case CGPS_IGNORED: return .ignored
    case CGPS_SKEWED: return .skewed
    default: return .invalid  // A C enumeration is open; this is CGPS_INVALID.
    }
  }

  /// An absent integer is -1.
  private func known(_ integer: Int32) -> Int? { integer < 0 ? nil : Int(integer) }

  private func notice(_ report: cgps_report, path: String) -> GpsdMessage {
    // Below 0 the message has no `activated`.
    if report.activated == 0 { return .deviceGone(path) }
    return .device(
      ReceiverDevice(
        path: path, driver: self.parser.text(CGPS_TEXT_DRIVER), subtype: self.parser.text(CGPS_TEXT_SUBTYPE),
        isActivated: report.activated > 0, cycle: ReportMapping.cycle(report.cycle)))
  }
}

/// The meaning of one line of gpsd.
package enum GpsdMessage: Hashable, Sendable {
  /// gpsd's banner. The numbers are those of its protocol; `nil` if it does not say them.
  case version(release: String, major: Int?, minor: Int?)
  case devices([ReceiverDevice])
  /// gpsd opened or identified a device. If `isActivated` is false, it is unknown whether gpsd has the device open.
  case device(ReceiverDevice)
  /// The device with this path was closed or unplugged.
  case deviceGone(String)
  /// gpsd's answer to a `?WATCH`, with the receiver that it filters by.
  case watch(device: String?)
  case position(PositionReport)
  case sky(SkyReport)
  case errorEstimate(ErrorEstimateReport)
  case attitude(AttitudeReport)
  /// What a receiver says of its reception. gpsd does not say which receiver.
  case reception(ReceptionReport)
  /// What a receiver knows of its satellites, or its answer to what it was given. gpsd does not say which receiver.
  case assistance(UBXFrame)
  /// The text of gpsd's error.
  case error(String)
  /// A class that positiond does not use.
  case ignored
  /// A line that is broken or not of gpsd.
  case invalid
  /// The loaded libgps has another data layout than the one this was built with; nothing that it reads can be trusted.
  case skewed
}

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
