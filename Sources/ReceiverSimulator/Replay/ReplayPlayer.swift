package import EventLoop
import Positioning

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
