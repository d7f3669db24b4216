/// What we ask of gpsd, as it goes over the wire.
enum GpsdRequest {
  static let devices = "?DEVICES;\n"
  static let unwatch = "?WATCH={\"enable\":false};\n"

  /// libgps's own request is cut at 80 bytes, and gpsd takes a cut one for "every device": so it is written here.
  static func watch(device: String?) -> String {
    let filter = device.map { ",\"device\":\"\(Self.escaped($0))\"" } ?? ""
    return "?WATCH={\"enable\":true,\"json\":true\(filter)};\n"
  }

  /// The inside of a JSON string.
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
