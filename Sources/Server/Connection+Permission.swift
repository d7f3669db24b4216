import Broker
import JSONRPC
import PositionProtocol

/// What may be sent to the client.
extension Connection {
  /// From now on the client gets no more than this.
  ///
  /// Waiting messages that reveal more are removed: a notification is dropped, a reply is replaced by the denial. A
  /// message that is partly written is finished, since the stream would be broken otherwise.
  func clear(_ limit: SensitivityLimit, denial: RPCError) {
    self.limit = limit
    if self.isOpen { self.server.heard(self) }
    self.withhold(above: limit, denial)
    self.queue.purge { $0.remainder(under: limit, denial: denial) }
    self.keepWithinLimits()
    self.limitChanged()
  }
}
