import EventLoop
import Glibc
import Positioning

/// Talks to gpsd for a few seconds at most.
final class GpsdProbe {
  private let loop: EventLoop
  private var interview = GpsdInterview()
  private var finding: GpsdFinding?
  private var isConnected = false
  private var watch: DescriptorWatch?

  private init(_ loop: EventLoop) {
    self.loop = loop
  }

  /// - Parameters:
  ///   - owner: As whom, where root asks; `nil`: as whoever runs this.
  ///   - patience: How long gpsd may take.
  static func run(
    on loop: EventLoop, _ address: GpsdAddress, as owner: UInt32? = nil, patience: Duration
  ) -> GpsdFinding {
    GpsdProbe(loop).run(address, owner, patience: patience)
  }

  private func run(_ address: GpsdAddress, _ owner: UInt32?, patience: Duration) -> GpsdFinding {
    do throws(SystemError) {
      let socket = try TCPSocket.connect(address: address.host, port: address.port, owner: owner)
      defer { socket.close() }
      let watch = try self.loop.watch(socket, for: [.read, .write]) { [unowned self] _ in self.ready(socket) }
      self.watch = watch
      defer { watch.cancel() }
      let timer = try self.loop.timer(accuracy: .milliseconds(10)) { [unowned self] in
        guard self.isConnected else { return self.end(.unreachable("no answer")) }
        self.perform(self.interview.timedOut(), on: socket)
      }
      defer { timer.cancel() }
      timer.arm(at: self.loop.now + patience)
      _ = try self.loop.run()
    } catch {
      return Self.unreached(error)
    }
    return self.finding ?? .silent
  }

  private static func unreached(_ error: SystemError) -> GpsdFinding {
    error.code == ECONNREFUSED ? .refused : .unreachable(error.message)
  }

  private func ready(_ socket: FileDescriptor) {
    if !self.isConnected {
      if let error = TCPSocket.finishConnect(socket) { return self.end(Self.unreached(error)) }
      self.isConnected = true
      self.watch?.interest = .read
    }
    self.receive(from: socket)
  }

  private func receive(from socket: FileDescriptor) {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      switch try socket.read(into: &bytes, upTo: 1 << 16) {
      case .bytes: self.perform(self.interview.received(bytes), on: socket)
      case .wouldBlock: break
      case .endOfFile: self.perform(self.interview.ended(), on: socket)
      }
    } catch {
      self.perform(self.interview.ended(), on: socket)
    }
  }

  private func perform(_ actions: [GpsdInterview.Action], on socket: FileDescriptor) {
    for action in actions {
      switch action {
      case .send(let text): self.send(text, on: socket)
      case .found(let finding): self.end(finding)
      }
    }
  }

  private func send(_ text: String, on socket: FileDescriptor) {
    do throws(SystemError) {
      // A fresh connection takes a few bytes at once.
      _ = try socket.write(Array(text.utf8)[...])
    } catch {
      self.perform(self.interview.ended(), on: socket)
    }
  }

  private func end(_ finding: GpsdFinding) {
    guard self.finding == nil else { return }
    self.finding = finding
    self.loop.stop()
  }
}
