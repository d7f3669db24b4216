package import Positioning
import ReceiverPorts

/// One look at gpsd's list without watching: is the receiver still open, after we let it go?
///
/// A watch would open it. Only the list is asked for; a device that gpsd has not open has no `activated` there.
package struct GpsdLook: Sendable {
  /// What was seen.
  package enum Outcome: Hashable, Sendable {
    /// gpsd has the receiver closed, or no longer has it at all.
    case inactive
    /// gpsd has it open, for another client or because of its option `-n`.
    case active
    /// Why it could not be known, in words.
    case unknown(String)
  }

  package enum Action: Hashable, Sendable {
    case connect(address: String)
    case send(String)
    case close
    /// Call `deadlineReached` at that moment.
    case arm(Instant)
    case finish(Outcome)
  }

  private enum State: Hashable, Sendable {
    case connecting(attempt: Int)
    case banner
    case list
    case finished
  }

  static let limit: Duration = .seconds(10)

  private let settings: GpsdSettings
  private var state = State.connecting(attempt: 0)

  package init(settings: GpsdSettings) {
    self.settings = settings
  }

  package func started(now: Instant) -> [Action] {
    [.arm(now + Self.limit), .connect(address: self.settings.addresses[0])]
  }

  package mutating func connected() -> [Action] {
    guard case .connecting = self.state else { return [] }
    self.state = .banner
    return []
  }

  package mutating func connectionFailed(_ reason: String) -> [Action] {
    guard case .connecting(let attempt) = self.state else { return [] }
    guard attempt + 1 < self.settings.addresses.count else {
      return self.finish(.unknown("gpsd cannot be reached (\(reason))"), closing: false)
    }
    self.state = .connecting(attempt: attempt + 1)
    return [.connect(address: self.settings.addresses[attempt + 1])]
  }

  package mutating func connectionEnded(_ end: ConnectionEnd) -> [Action] {
    self.finish(.unknown(end == .closedUnspoken ? "gpsd takes no more clients" : end.words), closing: false)
  }

  package mutating func received(_ message: GpsdMessage) -> [Action] {
    switch (self.state, message) {
    case (.banner, .version):
      self.state = .list
      return [.send(GpsdRequest.devices)]
    case (.banner, _):
      return self.finish(.unknown("something else than gpsd answers"), closing: true)
    case (.list, .devices(let devices)):
      let ours = devices.filter { self.settings.device == nil || $0.path == self.settings.device }
      return self.finish(ours.contains { $0.isActivated } ? .active : .inactive, closing: true)
    case (.list, _), (.connecting, _), (.finished, _):
      return []
    }
  }

  package mutating func deadlineReached() -> [Action] {
    self.finish(.unknown("gpsd did not answer in \(Self.limit.components.seconds) s"), closing: true)
  }

  private mutating func finish(_ outcome: Outcome, closing: Bool) -> [Action] {
    guard self.state != .finished else { return [] }
    self.state = .finished
    return (closing ? [.close] : []) + [.finish(outcome)]
  }
}
