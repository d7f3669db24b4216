import EventLoop
import Glibc
import Positioning

/// One request of HTTP/1.1 on a connection that systemd has accepted, and its response.
///
/// It knows what a scrape needs: GET of one path. Whoever sends too much, too slowly or anything else gets an error.
struct HTTPExchange {
  /// How a request was understood.
  enum Request: Hashable {
    case scrape
    /// An error, by its status and the words that follow it.
    case refused(Int, String)
  }

  static let path = "/metrics"
  /// The bytes of a request, at most.
  static let limit = 8192

  /// Reads a request's head.
  ///
  /// - Parameter seconds: The time that it may take.
  static func request(from descriptor: Int32, within seconds: Double) -> Request {
    let deadline = Clocks.system.sinceBoot() + .bounded(seconds: seconds)
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1024)
    while !Self.isComplete(head) {
      guard head.count < Self.limit else { return .refused(431, "Request Header Fields Too Large") }
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = (deadline - Clocks.system.sinceBoot()).seconds
      guard left > 0, unsafe poll(&wait, 1, Int32((left * 1000).rounded(.up))) > 0 else {
        return .refused(408, "Request Timeout")
      }
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return .refused(400, "Bad Request") }
      head += buffer[..<count]
    }
    return Self.request(in: head)
  }

  /// Understands a head.
  static func request(in head: [UInt8]) -> Request {
    let line = head.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    let words = String(decoding: line, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return .refused(400, "Bad Request") }
    guard words[0] == "GET" else { return .refused(405, "Method Not Allowed") }
    guard words[1].prefix(while: { $0 != "?" }) == Self.path else { return .refused(404, "Not Found") }
    return .scrape
  }

  /// The response with the figures.
  static func response(_ lines: [String]) -> String {
    Self.response(200, "OK", type: OpenMetrics.mediaType, lines.map { "\($0)\n" }.joined())
  }

  /// The response to a request that was refused.
  static func response(refusing status: Int, _ words: String) -> String {
    Self.response(status, words, type: "text/plain; charset=utf-8", "\(words). The figures are at \(Self.path).\n")
  }

  private static func response(_ status: Int, _ words: String, type: String, _ body: String) -> String {
    let allow = status == 405 ? "Allow: GET\r\n" : ""
    return "HTTP/1.1 \(status) \(words)\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\(allow)"
      + "Connection: close\r\n\r\n\(body)"
  }

  private static func isComplete(_ head: [UInt8]) -> Bool {
    let text = head.filter { $0 != UInt8(ascii: "\r") }
    return zip(text, text.dropFirst()).contains { $0 == UInt8(ascii: "\n") && $1 == UInt8(ascii: "\n") }
  }
}
