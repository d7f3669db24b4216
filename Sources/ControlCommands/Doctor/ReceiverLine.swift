import EventLoop
import JSONRPC
import PositionProtocol

/// The serial line of a receiver, as gpsd lists it. positiond itself needs none of this.
struct ReceiverLine: Hashable, Sendable {
  /// Bits per second; `nil`: gpsd does not say.
  var speed: Int?
  /// Seconds between two reports; `nil`: gpsd does not say.
  var cycle: Double?

  /// The lines in gpsd's list, by the receivers' paths; empty if the text has no list.
  static func read(_ text: [UInt8]) -> [String: ReceiverLine] {
    for line in text.split(separator: 0x0A) {
      do throws(RPCError) {
        let value = try JSONValue(parsing: Array(line))
        guard value["class"] == "DEVICES", case .array(let devices)? = value["devices"] else { continue }
        let lines = devices.compactMap { device -> (String, ReceiverLine)? in
          guard case .string(let path)? = device["path"] else { return nil }
          return (
            path, ReceiverLine(speed: device["bps"]?.real.flatMap { Int(exactly: $0) }, cycle: device["cycle"]?.real)
          )
        }
        return Dictionary(lines, uniquingKeysWith: { first, _ in first })
      } catch {
        // gpsd's errors may be no JSON; the list follows.
      }
    }
    return [:]
  }
}

extension JSONValue {
  fileprivate var real: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    case .null, .boolean, .string, .array, .object: nil
    }
  }
}

extension GpsdAddress {
  /// Whether gpsd is on this machine, or seems to be.
  var isLocal: Bool { self.host.hasPrefix("127.") || self.host == "::1" }

  /// Asks gpsd for the lines of its receivers, without opening one.
  func lines(on loop: EventLoop, timeout: Duration) -> [String: ReceiverLine] {
    var lines: [String: ReceiverLine] = [:]
    var text: [UInt8] = []
    do throws(SystemError) {
      let socket = try TCPSocket.connect(address: self.host, port: self.port)
      defer { socket.close() }
      var hasAsked = false
      let watch = try loop.watch(socket, for: .write) { _ in
        do throws(SystemError) {
          if !hasAsked {
            hasAsked = true
            guard TCPSocket.finishConnect(socket) == nil else { return loop.stop() }
            _ = try socket.write(Array("?DEVICES;\n".utf8)[...])
            return
          }
          switch try socket.read(into: &text, upTo: 1 << 16) {
          case .bytes where text.count < 1 << 20:
            lines = ReceiverLine.read(text)
            if !lines.isEmpty { loop.stop() }
          case .wouldBlock: break
          case .bytes, .endOfFile: loop.stop()
          }
        } catch {
          loop.stop()
        }
      }
      defer { watch.cancel() }
      try loop.run(atMost: timeout)
    } catch {
      // Nothing depends on it but one check.
      return [:]
    }
    return lines
  }
}
