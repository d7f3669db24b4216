package import EventLoop

/// A gpsd that a test scripts.
package final class FakeGpsd {
  private let loop: EventLoop
  package let listener: TCPListener
  private var listening: DescriptorWatch?
  private var clients: [Client] = []
  /// The reaction to a new client.
  package var onConnect: (Client) -> Void = { _ in }
  /// The reaction to a request.
  package var onRequest: (Client, String) -> Void = { _, _ in }
  package private(set) var connections = 0
  /// All requests so far.
  package private(set) var requests = ""

  package final class Client {
    package let socket: FileDescriptor
    fileprivate var watch: DescriptorWatch?
    package fileprivate(set) var isClosedByPeer = false

    fileprivate init(socket: FileDescriptor) { self.socket = socket }

    /// Writes at once; what does not fit is lost, and a test that needs more fails.
    package func say(_ text: String) throws { _ = try self.socket.write(Array(text.utf8)[...]) }

    package func close() {
      self.watch?.cancel()
      self.socket.close()
    }
  }

  package var port: UInt16 { self.listener.localPort }
  package var client: Client? { self.clients.last }

  package init(on loop: EventLoop) throws {
    self.loop = loop
    self.listener = try TCPSocket.listenOnLoopback()
    self.listening = try loop.watch(self.listener.descriptor, for: .read) { [weak self] _ in
      // A failure here shows as a connection that the test waits for in vain.
      try? self?.accept()
    }
  }

  private func accept() throws {
    guard let socket = try self.listener.accept() else { return }
    let client = Client(socket: socket)
    self.connections += 1
    self.clients.append(client)
    client.watch = try self.loop.watch(socket, for: .read) { [weak self, weak client] _ in
      guard let self, let client else { return }
      try? self.read(client)
    }
    self.onConnect(client)
  }

  private func read(_ client: Client) throws {
    var bytes: [UInt8] = []
    do {
      guard case .bytes = try client.socket.read(into: &bytes, upTo: 4096) else {
        client.isClosedByPeer = true
        client.close()
        return
      }
    } catch {
      client.isClosedByPeer = true
      client.close()
      throw error
    }
    let text = String(decoding: bytes, as: UTF8.self)
    self.requests += text
    self.onRequest(client, text)
  }

  package static let banner =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"
  package static let report = #"{"class":"TPV","device":"/dev/x","mode":3,"lat":1.5,"lon":2.5}"# + "\r\n"

  /// Behaves normally: banner, list, answer to the watch, and one report.
  package func behave(device: String = "/dev/x", isActivated: Bool = true) {
    self.onConnect = { try? $0.say(Self.banner) }
    self.onRequest = { client, text in
      let activated = isActivated ? #","activated":"2026-11-21T07:07:33.030Z""# : ""
      let list =
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"\#(device)","driver":"NMEA0183"\#(activated)}]}"#
        + "\r\n"
      if text.hasPrefix("?WATCH={\"enable\":true") {
        try? client.say(list + #"{"class":"WATCH","enable":true,"json":true}"# + "\r\n" + Self.report)
      } else if text.hasPrefix("?DEVICES;") {
        try? client.say(list)
      }
    }
  }
}
