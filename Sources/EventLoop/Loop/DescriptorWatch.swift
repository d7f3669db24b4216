import CSystemd

/// The events for which a descriptor is watched, and those that were found.
@usableFromInline
package struct Interest: OptionSet, Sendable, Hashable {
  @usableFromInline package let rawValue: UInt32

  @inlinable package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package init(read: Bool, write: Bool) {
    self.rawValue = (read ? Interest.read.rawValue : 0) | (write ? Interest.write.rawValue : 0)
  }

  /// Reading would not block: there are bytes, a connection to accept, or the end.
  package static let read = Interest(rawValue: 1)
  /// Writing would not block; also after a connection has been established or has failed.
  package static let write = Interest(rawValue: 2)
  /// The other side is gone or the descriptor has an error; always reported, requested or not.
  package static let hangup = Interest(rawValue: 4)
  /// Reports each change once (edge-triggered). Only on request.
  ///
  /// A pseudoterminal's master is hung up while the other side is closed, which would keep a loop busy.
  package static let changesOnly = Interest(rawValue: 8)

  var epollEvents: UInt32 {
    var events: UInt32 = 0
    if contains(.read) { events |= EPOLLIN.rawValue }
    if contains(.write) { events |= EPOLLOUT.rawValue }
    if contains(.changesOnly) { events |= EPOLLET.rawValue }
    return events
  }

  init(epollEvents events: UInt32) {
    self = []
    if events & EPOLLIN.rawValue != 0 { insert(.read) }
    if events & EPOLLOUT.rawValue != 0 { insert(.write) }
    if events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { insert(.hangup) }
  }
}

/// A descriptor that the loop watches until the watch is cancelled, the descriptor is closed, or the last reference is
/// released.
///
/// The handler is called as long as the descriptor stays ready: without reading to the end or cancelling, a hang-up
/// calls it again and again.
package final class DescriptorWatch {
  private let loop: EventLoop
  private let source: EventSource
  /// Keeps the descriptor open, so that its number is not used again while the kernel watches it.
  private var descriptor: FileDescriptor?

  init(
    on loop: EventLoop, _ descriptor: FileDescriptor, for interest: Interest, handler: @escaping (Interest) -> Void
  ) throws(SystemError) {
    precondition(descriptor.watch == nil, "a descriptor is watched once at a time")
    self.loop = loop
    self.descriptor = descriptor
    self.interest = interest
    source = try EventSource.descriptor(on: loop, descriptor, for: interest, handler: handler)
    descriptor.watch = self
  }

  deinit {
    loop.release(source, then: descriptor)
  }

  /// The watched events; setting the same value again is cheap.
  package var interest: Interest {
    didSet {
      loop.claim()
      if interest != oldValue { source.setInterest(interest) }
    }
  }

  /// Ends the watch; the handler is not called again. A second call does nothing.
  package func cancel() {
    loop.claim()
    source.cancel()
    descriptor = nil
  }
}

extension EventLoop {
  /// Watches a descriptor. One watch for each descriptor at a time.
  ///
  /// - Throws: `EPERM` for a descriptor that cannot be watched, such as a file on a disk.
  package func watch(
    _ descriptor: FileDescriptor, for interest: Interest, handler: @escaping (Interest) -> Void
  ) throws(SystemError) -> DescriptorWatch {
    claim()
    return try DescriptorWatch(on: self, descriptor, for: interest, handler: handler)
  }
}
