import Broker
import EventLoop
import JSONRPC
import NMEA
import Positioning

/// A client of the NMEA socket: it needs positions from its first moment to its last, and nothing that it sends matters.
///
/// It gets only what is precise, because a sentence cannot say that a position is reduced. Others are closed at once. A
/// loss is a void sentence and never the end: GeoClue does not come back to a socket that closed.
final class NMEAConnection: StreamConnection {
  /// The kinds of reports that supersede each other.
  private enum Kind: Int {
    case epoch = 1, satellites
  }

  private var stream = NMEAStream()
  private var hasBegun = false

  override func begin() {
    guard self.isPrecise else { return self.refuse() }
    self.hasBegun = true
    self.beginWatch()
  }

  /// Many readers close their sending side at once and read on. A Unix socket reports when they are gone.
  override func receivedEnd() {}

  override func limitChanged() { if self.hasBegun, self.isOpen, !self.isPrecise { self.refuse() } }

  override func refused(_ failure: CallFailure) { self.refuse() }

  private func refuse() {
    self.server.refusedAtDoor(
      "a client of user \(self.principal.uid, .user) was closed at the NMEA socket, which is only for those who may know the"
        + " precise position")
    self.queue.removeAllUntouched()
    self.drain()
  }

  override func received(_ update: PositionUpdate) {
    if let fix = update.fix {
      self.enqueue(self.stream.fixed(fix), kind: Kind.epoch.rawValue, .precise)
    } else if update.availability != .available {
      self.enqueue(self.stream.lost(), kind: Kind.epoch.rawValue, .open)
    }
  }

  override func received(_ sky: Sky) {
    self.enqueue(self.stream.received(sky), kind: Kind.satellites.rawValue, .precise)
  }

  override func received(_ heading: Heading?) { self.stream.turned(to: heading) }
}
