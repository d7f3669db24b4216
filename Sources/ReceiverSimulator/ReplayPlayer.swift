package import EventLoop
import Positioning
import UBX

/// Replays a recorded log once to the program that opens the device, from its first opening on.
package final class ReplayPlayer {
  private let loop: EventLoop
  private let log: ReplayLog
  private let pace: ReplayPace
  private let device: SimulatedDevice
  private var timer: LoopTimer?
  private var nextPiece = 0
  /// The part of a piece that the program has not read yet; only if the program sets the pace.
  private var rest: ArraySlice<UInt8> = []
  private var due: Instant?

  /// Called once, when the last piece is written.
  package var finished: () -> Void = {}
  package var failed: (SystemError) -> Void = { _ in }

  package init(_ log: ReplayLog, pace: ReplayPace, on loop: EventLoop, link: String? = nil) {
    self.loop = loop
    self.log = log
    self.pace = pace
    self.device = SimulatedDevice(on: loop, link: link)
  }

  package var path: String? { self.device.path }
  /// How many pieces were written, or lost because nobody read.
  package var piecesPlayed: Int { self.nextPiece }

  package func start() throws(SystemError) {
    self.timer = try self.loop.timer(accuracy: .milliseconds(1)) { [weak self] in self?.play() }
    try self.device.plug { [weak self] event in
      switch event {
      case .opened: self?.play()
      case .hasRoom: self?.play()
      case .failed(let error): self?.failed(error)
      case .closed, .received: break
      }
    }
  }

  package func stop() {
    self.timer?.cancel()
    self.device.unplug()
  }

  private var isFinished: Bool { self.nextPiece == self.log.pieces.count && self.rest.isEmpty }

  private func play() {
    guard !self.isFinished else { return }
    switch self.pace {
    case .line: self.playOnTime()
    case .reader: self.playAsTaken()
    }
    if self.isFinished {
      self.device.wantsRoom = false
      self.timer?.disarm()
      self.finished()
    }
  }

  /// Writes the bytes that are due. Unread bytes are lost.
  private func playOnTime() {
    let now = self.loop.now
    var due = self.due ?? now
    while self.nextPiece < self.log.pieces.count {
      let piece = self.log.pieces[self.nextPiece]
      let end = due + self.pace.duration(of: piece)
      guard end <= now else {
        self.timer?.arm(at: end)
        break
      }
      _ = self.device.write(piece[...])
      self.nextPiece += 1
      due = end
    }
    self.due = due
  }

  /// Writes until the line is full, and waits for room.
  private func playAsTaken() {
    while true {
      if self.rest.isEmpty {
        guard self.nextPiece < self.log.pieces.count else { return }
        self.rest = self.log.pieces[self.nextPiece][...]
        self.nextPiece += 1
      }
      let count = self.device.write(self.rest)
      self.rest = self.rest.dropFirst(count)
      if !self.rest.isEmpty {
        self.device.wantsRoom = true
        return
      }
    }
  }
}

/// A recorded receiver log, divided into pieces that are written at once: sentences, or packets of a binary protocol.
///
/// Logs are raw bytes as the receiver sent them. Lines that begin with `#` are comments of the recording: anywhere in a
/// log of text, and before the first packet of a binary log, which is replayed byte by byte from there.
package struct ReplayLog: Hashable, Sendable {
  /// A longer piece is cut: its protocol is unknown.
  private static let longestPiece = 512

  package let pieces: [[UInt8]]

  package init(_ bytes: [UInt8]) {
    let isText = bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F || [0x09, 0x0A, 0x0D].contains($0) }
    var pieces: [[UInt8]] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Self.length(of: rest, isText: isText))
      rest = rest.dropFirst(piece.count)
      let isComment = piece.first == UInt8(ascii: "#") && (isText || pieces.isEmpty)
      let isBlankHead = pieces.isEmpty && piece.allSatisfy { [0x0A, 0x0D].contains($0) }
      if !isComment, !isBlankHead { pieces.append(Array(piece)) }
    }
    self.pieces = pieces
  }

  /// The length of the piece at the start of `bytes`: a UBX message, a line, or the bytes before either.
  private static func length(of bytes: ArraySlice<UInt8>, isText: Bool) -> Int {
    if !isText, let length = Self.messageLength(bytes) { return length }
    var length = 0
    for byte in bytes.prefix(Self.longestPiece) {
      // The next message begins here.
      if length > 0, !isText, byte == UBXFrame.sync.0, Self.messageLength(bytes.dropFirst(length)) != nil { break }
      length += 1
      if byte == UInt8(ascii: "\n") { break }
    }
    return length
  }

  /// The length of the whole UBX message that `bytes` begin with.
  private static func messageLength(_ bytes: ArraySlice<UInt8>) -> Int? {
    let start = bytes.startIndex
    guard bytes.count >= 8, bytes[start] == UBXFrame.sync.0, bytes[start + 1] == UBXFrame.sync.1 else { return nil }
    let length = Int(bytes[start + 4]) + Int(bytes[start + 5]) << 8 + 8
    return bytes.count >= length ? length : nil
  }
}

/// The speed of a replay.
package enum ReplayPace: Hashable, Sendable {
  /// The speed of a serial line (bits per second) times this factor.
  case line(speed: Int, factor: Double)
  /// As fast as the program reads.
  case reader

  /// How long a piece takes on the line.
  package func duration(of piece: [UInt8]) -> Duration {
    switch self {
    case .line(let speed, let factor): .seconds(Double(piece.count * 10) / Double(speed) / factor)
    case .reader: .zero
    }
  }
}
