/// The address of gpsd.
struct GpsdAddress: Hashable, Sendable, CustomStringConvertible {
  static let standard = GpsdAddress(host: "127.0.0.1", port: 2947)

  /// A numeric address: a name lookup could block.
  var host: String
  var port: UInt16

  init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  /// From `HOST`, `HOST:PORT`, `[HOST]:PORT` or `localhost`; `nil` for any other text.
  init?(_ text: String) {
    var host = text[...]
    self.port = GpsdAddress.standard.port
    let isBare = text.count { $0 == ":" } > 1 && !text.hasPrefix("[")  // An IPv6 address without a port.
    if !isBare, !text.hasSuffix("]"), let colon = text.lastIndex(of: ":") {
      guard let port = UInt16(text[text.index(after: colon)...]), port > 0 else { return nil }
      self.port = port
      host = text[..<colon]
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    if host == "localhost" { host = GpsdAddress.standard.host[...] }
    guard !host.isEmpty, host.allSatisfy({ $0.isHexDigit || $0 == "." || $0 == ":" }) else { return nil }
    self.host = String(host)
  }

  var description: String { self.host.contains(":") ? "[\(self.host)]:\(self.port)" : "\(self.host):\(self.port)" }
}
