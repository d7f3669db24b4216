import EventLoop
import Positioning

/// One TCP connection to gpsd: it turns bytes into messages and requests into bytes, and knows no state of the session.
///
/// It belongs to the loop's thread. Its handler may close or reconnect it at any event.
final class GpsdTransport {
  enum Event {
    case connected
    case connectionFailed(SystemError)
    case message(GpsdMessage)
    case ended(ConnectionEnd)
    /// The number of lines that were too long and dropped, since the connection began.
    case droppedLines(Int)
    /// Epochs that were superseded before they could be processed, since the last such event.
    case passedOver(epochs: Int)
  }

  private let loop: EventLoop
  private let port: UInt16
  private let owner: UInt32?
  private let handler: (Event) -> Void
  private let turnBudget: Duration
  private let decoder = GpsdDecoder()
  private var splitter = LineSplitter()
  private var connection: Connection?
  /// Continues in a turn of its own with messages that the last turn left.
  private var goOn: LoopTimer?

  /// The state of one connection. Each connection has its own object, so that late events of an earlier one are
  /// recognised.
  private final class Connection {
    let socket: FileDescriptor
    var watch: DescriptorWatch?
    var isEstablished = false
    var hasSpoken = false
    var unsent: [UInt8] = []
    /// Messages that were read and not yet processed.
    var backlog = ReportBacklog()
    /// gpsd closed the connection; that is reported after its last messages.
    var hasEnded = false

    init(socket: FileDescriptor) {
      self.socket = socket
    }
  }

  /// The most bytes that are read at once, so that a flood does not block the loop: some 200 reports, which take a
  /// millisecond or two to decode.
  private static let readLimit = 65_536
  /// How long a turn may process reports. The consequences of one report are always completed.
  static let turnBudget: Duration = .milliseconds(10)
  /// Requests are short, and gpsd reads them at once: with more than this unsent, gpsd hangs.
  private static let unsentLimit = 65_536

  /// - Parameters:
  ///   - owner: the user that owns the socket, if root connects for another user; `nil`: the user of this process.
  ///   - turnBudget: how long a turn may process reports; a test sets zero, so that each turn processes one report.
  init(
    loop: EventLoop, port: Int, owner: UInt32? = nil, turnBudget: Duration = GpsdTransport.turnBudget,
    handler: @escaping (Event) -> Void
  ) throws(SystemError) {
    self.loop = loop
    self.port = UInt16(clamping: port)
    self.owner = owner
    self.turnBudget = turnBudget
    self.handler = handler
    self.goOn = try loop.timer(accuracy: .milliseconds(1)) { [weak self] in
      guard let self, let connection = self.connection else { return }
      self.judge(connection)
    }
  }

  /// Begins a connection; ``Event/connected`` or ``Event/connectionFailed(_:)`` reports the result, perhaps before
  /// this returns.
  func connect(address: String) {
    self.close()
    self.splitter = LineSplitter()
    do throws(SystemError) {
      let socket = try self.loop.connect(address: address, port: self.port, owner: self.owner)
      let connection = Connection(socket: socket)
      connection.watch = try self.loop.watch(connection.socket, for: .write) { [weak self, weak connection] ready in
        guard let self, let connection, self.connection === connection else { return }
        self.serve(connection, ready)
      }
      self.connection = connection
    } catch {
      self.handler(.connectionFailed(error))
    }
  }

  /// Whether any byte has arrived on the present connection.
  var hasSpoken: Bool { self.connection?.hasSpoken ?? false }

  /// Sends what fits now, and the rest when there is room.
  func send(_ request: String) {
    guard let connection, connection.isEstablished else { return }
    connection.unsent += Array(request.utf8)
    self.flush(connection)
  }

  /// Reads what has arrived and was not read yet, as far as one turn may.
  func receiveWaiting() {
    guard let connection, connection.isEstablished, !connection.hasEnded else { return }
    self.receive(connection)
  }

  /// Ends the connection at once; no event follows from it.
  func close() {
    guard let connection else { return }
    self.connection = nil
    self.goOn?.disarm()
    connection.watch?.cancel()
    connection.socket.close()
  }

  private func serve(_ connection: Connection, _ ready: Interest) {
    guard connection.isEstablished else {
      self.finishConnect(connection)
      return
    }
    if ready.contains(.write) {
      self.flush(connection)
    }
    if self.connection === connection, ready.contains(.read) || ready.contains(.hangup) {
      self.receive(connection)
    }
  }

  private func finishConnect(_ connection: Connection) {
    if let error = TCPSocket.finishConnect(connection.socket) {
      self.close()
      self.handler(.connectionFailed(error))
      return
    }
    connection.isEstablished = true
    connection.watch?.interest = .read
    self.handler(.connected)
  }

  private func receive(_ connection: Connection) {
    var bytes: [UInt8] = []
    do {
      switch try connection.socket.read(into: &bytes, upTo: Self.readLimit) {
      case .bytes:
        connection.hasSpoken = true
        self.deliver(bytes, from: connection)
      case .wouldBlock:
        break
      case .endOfFile:
        // Messages that gpsd sent before it closed are processed first.
        connection.hasEnded = true
        connection.watch?.cancel()
        connection.watch = nil
        self.judge(connection)
      }
    } catch {
      self.end(.failed(error.message))
    }
  }

  private func deliver(_ bytes: [UInt8], from connection: Connection) {
    let dropped = self.splitter.droppedLines
    let lines = self.splitter.lines(completedBy: bytes)
    let arrival = self.loop.now
    if self.splitter.droppedLines > dropped {
      self.handler(.droppedLines(self.splitter.droppedLines))
    }
    for line in lines { connection.backlog.add(self.decoder.decode(line, arrival: arrival)) }
    self.judge(connection)
  }

  /// Processes waiting messages for as long as a turn may take.
  private func judge(_ connection: Connection) {
    let end = self.loop.readClock() + self.turnBudget
    // The handler may close the connection at any message.
    while self.connection === connection, let message = connection.backlog.next() {
      self.handler(.message(message))
      if self.loop.readClock() >= end { break }
    }
    guard self.connection === connection else { return }
    if connection.backlog.isEmpty {
      if connection.hasEnded { self.end(connection.hasSpoken ? .closed : .closedUnspoken) }
      return
    }
    let passedOver = connection.backlog.passOverSuperseded()
    if passedOver > 0 { self.handler(.passedOver(epochs: passedOver)) }
    if self.connection === connection { self.goOn?.arm(at: self.loop.now) }
  }

  private func flush(_ connection: Connection) {
    do {
      while !connection.unsent.isEmpty {
        switch try connection.socket.write(connection.unsent[...]) {
        case .wrote(let count):
          connection.unsent.removeFirst(count)
        case .wouldBlock:
          guard connection.unsent.count <= Self.unsentLimit else {
            self.end(.failed("gpsd does not read what it is asked"))
            return
          }
          connection.watch?.interest = [.read, .write]
          return
        }
      }
      connection.watch?.interest = .read
    } catch {
      // gpsd has ended. Messages that it sent before may still be readable, but they are outdated.
      self.end(.failed(error.message))
    }
  }

  private func end(_ end: ConnectionEnd) {
    self.close()
    self.handler(.ended(end))
  }
}
