import ReceiverPorts

/// Where gpsd is, and which of its receivers is meant.
package struct GpsdSettings: Hashable, Sendable {
  /// `localhost`, or a numeric IPv4 or IPv6 address: looking up a name would block.
  package var host: String
  /// 1...65535.
  package var port: Int
  /// The receiver's path exactly as gpsd knows it; `nil` for whatever gpsd has.
  package var device: String?
  /// How long no position may come until the receiver counts as silent; never under three of its cycles. The same as
  /// that after which its fix counts as lost.
  package var silence: Duration

  package init(
    host: String = "localhost", port: Int = 2947, device: String? = nil, silence: Duration = .seconds(8)
  ) {
    self.host = host
    self.port = port
    self.device = device
    self.silence = silence
  }

  /// The addresses to try, in order; never empty.
  var addresses: [String] {
    // gpsd's systemd socket listens on both; a kernel without IPv6 has only the first.
    self.host == "localhost" ? ["127.0.0.1", "::1"] : [self.host]
  }
}
