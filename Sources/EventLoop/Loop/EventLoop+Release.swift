extension EventLoop {
  /// Ends the source of a watch whose last reference was released, on any thread.
  ///
  /// On another thread the loop may be using its sources, so the loop does it. If the loop never runs again, the source
  /// is released with the queue.
  ///
  /// - Parameter descriptor: The descriptor, which must stay open until the source has ended.
  func release(_ source: EventSource, then descriptor: FileDescriptor?) {
    if isOnLoop || source.isCancelled {
      source.cancel()
      return
    }
    let remains = ReleasedResources(source: source, descriptor: descriptor)
    call { remains.source.cancel() }
  }
}

/// `@unchecked Sendable`: the thread that gave these up keeps no reference to them; the loop's is the only one.
private final class ReleasedResources: @unchecked Sendable {
  let source: EventSource
  private let descriptor: FileDescriptor?

  init(source: EventSource, descriptor: FileDescriptor?) {
    self.source = source
    self.descriptor = descriptor
  }

  deinit {
    source.cancel()
  }
}
