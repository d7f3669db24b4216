/// The address of gpsd, and the receiver to use.
package struct GpsdSettings: Hashable, Sendable {
  /// `localhost`, or a numeric IPv4 or IPv6 address: a name lookup would block.
  package var host: String
  /// 1...65535.
  package var port: Int
  /// The receiver's path exactly as gpsd knows it; `nil` for any receiver.
  package var device: String?

  package init(host: String = "127.0.0.1", port: Int = 2947, device: String? = nil) {
    self.host = host
    self.port = port
    self.device = device
  }

  /// The addresses to try, in order; never empty.
  var addresses: [String] {
    // gpsd's systemd socket listens on both; a kernel without IPv6 has only the first.
    self.host == "localhost" ? ["127.0.0.1", "::1"] : [self.host]
  }
}
