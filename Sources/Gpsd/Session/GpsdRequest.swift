/// Requests to gpsd, as they are sent.
enum GpsdRequest {
  static let devices = "?DEVICES;\n"
  static let unwatch = "?WATCH={\"enable\":false};\n"

  /// libgps cuts its own request at 80 bytes, and gpsd takes a cut request for "every device", so the request is
  /// written here.
  ///
  /// - Parameter packets: Whether gpsd shall pass on the receiver's own messages too, each in hexadecimal digits.
  static func watch(device: String?, packets: ReceiverPackets = .unasked) -> String {
    let raw = packets.raw.map { ",\"raw\":\($0)" } ?? ""
    let filter = device.map { ",\"device\":\"\(Self.escaped($0))\"" } ?? ""
    return "?WATCH={\"enable\":true,\"json\":true\(raw)\(filter)};\n"
  }

  /// Has gpsd write these bytes to the receiver, whatever the receiver does with them.
  static func write(_ bytes: [UInt8], to device: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return "?DEVICE={\"path\":\"\(Self.escaped(device))\",\"hexdata\":\"\(String(decoding: text, as: UTF8.self))\"};\n"
  }

  /// The text as the contents of a JSON string.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": escaped += "\\\(scalar)"
      case "\u{0}"..<" ", "\u{7F}":
        let digits = String(scalar.value, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
