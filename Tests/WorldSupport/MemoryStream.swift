package import EventLoop
import Glibc
package import Positioning

/// The bytes of one direction of a connection.
final class Channel {
  /// As much as a Unix socket of Linux holds.
  var capacity = 208 << 10
  var arrived: [UInt8] = []
  var inFlight = 0
  /// The end has arrived behind the bytes.
  var hasEnded = false
  var isEnding = false
  var newestArrival: Instant?

  var room: Int { max(0, self.capacity - self.arrived.count - self.inFlight) }
}

/// One end of a connection on a machine in memory.
package final class MemoryStream: KernelStream {
  enum Family {
    case unix, tcp
  }

  private let machine: MemoryMachine
  private let family: Family
  let incoming: Channel
  private let outgoing: Channel
  private let principal: Principal?
  var other: MemoryStream?
  /// Called when something has arrived, or the stream has changed otherwise.
  var changed: () -> Void = {}
  private var isConnected = false
  private var error: SystemError?
  private(set) var isClosed = false
  /// The other end is gone.
  private var isHungUp = false
  private var isReset = false

  init(
    on machine: MemoryMachine, _ family: Family, incoming: Channel, outgoing: Channel, peer: Principal?
  ) {
    self.machine = machine
    self.family = family
    self.incoming = incoming
    self.outgoing = outgoing
    self.principal = peer
  }

  func connected(_ error: SystemError?) {
    self.isConnected = error == nil
    self.error = error
    self.changed()
  }

  // MARK: For a process

  package func ready(for interest: Interest) -> Interest {
    var found: Interest = []
    let isBroken = self.isReset || self.error != nil
    if interest.contains(.read), isBroken || self.incoming.hasEnded || !self.incoming.arrived.isEmpty {
      found.insert(.read)
    }
    if interest.contains(.write), isBroken || (self.isConnected && (self.isHungUp || self.outgoing.room > 0)) {
      found.insert(.write)
    }
    if isBroken || self.isHungUp { found.insert(.hangup) }
    return found
  }

  package func read(upTo limit: Int) throws(SystemError) -> [UInt8]? {
    // As in Linux, what has arrived comes first.
    if self.isReset, self.incoming.arrived.isEmpty {
      self.isReset = false
      self.incoming.hasEnded = true
      throw SystemError(code: ECONNRESET, call: "read")
    }
    guard !self.incoming.arrived.isEmpty else { return self.incoming.hasEnded ? [] : nil }
    let count = self.machine.portion(of: min(limit, self.incoming.arrived.count))
    let bytes = Array(self.incoming.arrived.prefix(count))
    self.incoming.arrived.removeFirst(count)
    self.other?.changed()
    return bytes
  }

  package func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> FileDescriptor.WriteResult {
    guard self.isConnected, !self.isHungUp, !self.isReset, !self.outgoing.isEnding else {
      throw SystemError(code: EPIPE, call: "write")
    }
    guard self.outgoing.room > 0 else { return .wouldBlock }
    let part = Array(bytes.prefix(self.machine.portion(of: min(bytes.count, self.outgoing.room))))
    self.outgoing.inFlight += part.count
    self.deliver { channel in
      channel.inFlight -= part.count
      channel.arrived += part
    }
    return .wrote(part.count)
  }

  package func accept() throws(SystemError) -> (any KernelStream)? {
    throw SystemError(code: EINVAL, call: "accept")
  }

  package func connectError() -> SystemError? { self.error }

  package func peer() throws(SystemError) -> Principal {
    guard let principal = self.principal else { throw SystemError(code: ENOTCONN, call: "ask for the peer") }
    return principal
  }

  package func close() {
    guard !self.isClosed else { return }
    self.isClosed = true
    self.changed = {}
    let isUnread = !self.incoming.arrived.isEmpty
    self.outgoing.isEnding = true
    // Over TCP only a write shows that the other end is gone, unless it has not read everything.
    let isUnix = self.family == .unix
    self.deliver { [weak other = self.other] channel in
      channel.hasEnded = true
      if isUnread { other?.isReset = true }
      if isUnix { other?.isHungUp = true }
    }
    let other = self.other
    self.other = nil
    if let other, other.isClosed { other.other = nil }
  }

  // MARK: For the world

  /// Nothing more comes from this end, which still reads.
  func endWriting() {
    self.outgoing.isEnding = true
    self.deliver { $0.hasEnded = true }
  }

  /// The connection breaks.
  func reset() {
    self.isClosed = true
    self.changed = {}
    self.outgoing.isEnding = true
    self.deliver { [weak other = self.other] _ in
      other?.isReset = true
      other?.isHungUp = true
    }
  }

  /// How many bytes of the other end may wait to be read.
  func limitIncoming(to count: Int) { self.incoming.capacity = count }

  /// Does something at the other end, behind everything that is on its way there.
  private func deliver(_ arrival: @escaping (Channel) -> Void) {
    let machine = self.machine
    let channel = self.outgoing
    let drawn = machine.now + machine.draw(machine.costs.delivery)
    let moment = max(drawn, (channel.newestArrival ?? drawn) + .nanoseconds(1))
    channel.newestArrival = moment
    machine.at(moment) { [weak other = self.other] in
      arrival(channel)
      other?.changed()
    }
  }
}

/// Where connections come in.
package final class MemoryListener: KernelStream {
  private let machine: MemoryMachine
  let address: KernelAddress
  private var waiting: [MemoryStream] = []
  /// Takes each connection at once; for a part of the world that has no loop.
  var accepted: ((MemoryStream) -> Void)?

  /// The process that listens; `nil`: a part of the world that has no loop.
  private weak var kernel: MemoryKernel?

  init(on machine: MemoryMachine, at address: KernelAddress, of kernel: MemoryKernel? = nil) {
    self.machine = machine
    self.address = address
    self.kernel = kernel
  }

  func add(_ stream: MemoryStream) {
    if let accepted { accepted(stream) } else { self.waiting.append(stream) }
  }

  package func ready(for interest: Interest) -> Interest {
    interest.contains(.read) && !self.waiting.isEmpty ? .read : []
  }

  package func accept() throws(SystemError) -> (any KernelStream)? {
    guard !self.waiting.isEmpty else { return nil }
    let stream = self.waiting.removeFirst()
    self.kernel?.note(stream)
    return stream
  }

  package func read(upTo limit: Int) throws(SystemError) -> [UInt8]? {
    throw SystemError(code: ENOTCONN, call: "read")
  }

  package func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> FileDescriptor.WriteResult {
    throw SystemError(code: ENOTCONN, call: "write")
  }

  package func connectError() -> SystemError? { nil }

  package func peer() throws(SystemError) -> Principal { throw SystemError(code: ENOTCONN, call: "ask for the peer") }

  package func close() {
    self.machine.closed(self)
    for stream in self.waiting { stream.reset() }
    self.waiting = []
  }
}
