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

  /// Host and port as one word, such as `127.0.0.1:2947` or `[::1]:2947`.
  package var address: String { self.host.contains(":") ? "[\(self.host)]:\(self.port)" : "\(self.host):\(self.port)" }

  /// Whether it is an address at which the door for gpsd's clients listens, as people write it. The session recognises
  /// positiond's banner under any other spelling.
  package var isAtLoopback: Bool {
    ["localhost", "127.0.0.1", "::1", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1", "0.0.0.0", "::"].contains(self.host)
  }

  /// The addresses to try, in order; never empty.
  var addresses: [String] {
    // gpsd's systemd socket listens on both; a kernel without IPv6 has only the first.
    self.host == "localhost" ? ["127.0.0.1", "::1"] : [self.host]
  }
}
