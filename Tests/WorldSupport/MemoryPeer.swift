import EventLoop

/// The world's end of a connection: it sends texts, and gathers what comes.
package final class MemoryPeer {
  private let stream: MemoryStream
  private let machine: MemoryMachine
  private var unsent: [UInt8] = []
  /// Everything that has come.
  package private(set) var received: [UInt8] = []
  /// Whether the other side has ended.
  package private(set) var hasEnded = false {
    didSet { if self.hasEnded, !oldValue { self.onEnd() } }
  }
  /// Whether it reads what comes; else that fills the connection.
  package var isReading = true {
    didSet { self.serve() }
  }
  /// Called with each whole line, without its end.
  package var onLine: (String) -> Void = { _ in }
  /// Called once, when the other side has ended.
  package var onEnd: () -> Void = {}
  /// Whether what has come is kept in `received`.
  package var keepsReceived = true
  private var line: [UInt8] = []

  init(_ stream: MemoryStream, on machine: MemoryMachine) {
    self.stream = stream
    self.machine = machine
    stream.changed = { [weak self] in self?.serve() }
  }

  /// Sends the text, the rest of it when there is room.
  package func send(_ text: String) {
    self.unsent += Array(text.utf8)
    self.serve()
  }

  /// Ends its own direction, and still reads.
  package func endSending() { self.stream.endWriting() }

  package func close() {
    (self.onLine, self.onEnd) = ({ _ in }, {})
    self.stream.close()
  }

  /// Breaks the connection.
  package func reset() { self.stream.reset() }

  /// How much may come that is not read.
  package func limitUnread(to count: Int) { self.stream.limitIncoming(to: count) }

  private func serve() {
    do throws(SystemError) {
      while !self.unsent.isEmpty, self.stream.ready(for: .write).contains(.write) {
        guard case .wrote(let count) = try self.stream.write(self.unsent[...]) else { break }
        self.unsent.removeFirst(count)
      }
      while self.isReading, let bytes = try self.stream.read(upTo: .max) {
        guard !bytes.isEmpty else {
          self.hasEnded = true
          return
        }
        self.take(bytes)
      }
    } catch {
      self.hasEnded = true
    }
  }

  private func take(_ bytes: [UInt8]) {
    if self.keepsReceived { self.received += bytes }
    for byte in bytes {
      guard byte == UInt8(ascii: "\n") else {
        self.line.append(byte)
        continue
      }
      let text = String(decoding: self.line, as: UTF8.self)
      self.line = []
      self.onLine(text)
    }
  }
}
