import EventLoop
import Positioning
import ReceiverPorts

@testable import Gpsd

/// A test's end of gpsd's connection, and all reported events.
final class Listener {
  private(set) var events: [ReceiverEvent] = []
  private(set) var log: [String] = []
  private var made: GpsdConnection?
  /// Called for each event, in addition to recording it.
  var onEvent: (ReceiverEvent) -> Void = { _ in }

  init(
    port: UInt16, device: String? = nil, host: String = "127.0.0.1", turnBudget: Duration = .seconds(1),
    on loop: EventLoop
  ) throws {
    self.made = try GpsdConnection(
      loop: loop, settings: GpsdSettings(host: host, port: Int(port), device: device), silence: .seconds(8),
      jitterSeed: 7,
      turnBudget: turnBudget,
      emit: { [weak self] event in
        self?.events.append(event)
        self?.onEvent(event)
      }, log: { [weak self] _, message in self?.log.append(message.text) })
  }

  func start() { self.made?.start() }
  func stop() { self.made?.stop() }
  func probe(_ completion: @escaping (Bool?) -> Void) { self.made?.probe(completion: completion) }

  var sources: [SourceState] {
    self.events.compactMap { if case .source(let source) = $0 { source } else { nil } }
  }

  var source: SourceState? { self.sources.last }

  var positions: [PositionReport] {
    self.events.compactMap { if case .position(let report) = $0 { report } else { nil } }
  }
}
