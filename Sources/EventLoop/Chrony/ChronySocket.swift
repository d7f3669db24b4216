import CLinux
package import Positioning

/// Asks chrony at this machine's loopback address, where it answers anybody unless its configuration says otherwise.
///
/// Its port is below 1024, so that no ordinary program can answer in its place, and nothing is asked of it that could change
/// anything. Each question has a socket of its own, which exists until the answer.
package final class ChronySocket {
  /// How long it has for its answer. One that runs takes less than a millisecond.
  private static let patience: Duration = .seconds(1)

  private let loop: EventLoop
  private let socket: FileDescriptor
  private let number: UInt32
  private var timer: LoopTimer?
  private var watch: DescriptorWatch?
  private var answer: ((ClockFigure?) -> Void)?

  /// - Parameter answer: Gets what chrony says, once; `nil`: it said nothing, or what it said is no answer.
  package static func ask(on loop: EventLoop, port: UInt16, answer: @escaping (ClockFigure?) -> Void) {
    do throws(SystemError) {
      let socket = try ChronySocket(on: loop, port: port, answer: answer)
      do throws(SystemError) {
        try socket.begin()
      } catch {
        socket.end(nil)
      }
    } catch {
      answer(nil)
    }
  }

  private init(on loop: EventLoop, port: UInt16, answer: @escaping (ClockFigure?) -> Void) throws(SystemError) {
    self.loop = loop
    self.answer = answer
    self.number = UInt32(truncatingIfNeeded: loop.randomNumber())
    self.socket = try FileDescriptor(
      adopting: try SystemError.check(unsafe clinux_udp_connect("127.0.0.1", port), "connect to chrony"))
  }

  private func begin() throws(SystemError) {
    _ = try self.socket.write(ChronyTracking.question(self.number)[...])
    // What the timer and the watch call keeps it until the end.
    self.timer = try self.loop.timer(accuracy: .milliseconds(100)) { self.end(nil) }
    self.watch = try self.loop.watch(self.socket, for: .read) { _ in self.receive() }
    self.timer?.arm(at: self.loop.now + Self.patience)
  }

  private func receive() {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      guard case .bytes = try self.socket.read(into: &bytes, upTo: 1024) else { return }
    } catch {
      // Nobody listens at the port.
      return self.end(nil)
    }
    let figure = ChronyTracking.figure(
      in: bytes, answering: self.number, now: self.loop.readClock(), wall: self.loop.readWallClock())
    // Another's datagram, or a late one: the right one may follow.
    if let figure { self.end(figure) }
  }

  private func end(_ figure: ClockFigure?) {
    let answer = self.answer
    self.answer = nil
    self.timer?.cancel()
    self.timer = nil
    self.watch = nil
    self.socket.close()
    answer?(figure)
  }
}
