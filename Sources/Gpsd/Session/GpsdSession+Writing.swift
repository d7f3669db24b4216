/// What became of bytes for the receiver.
package enum GpsdWriteResult: Hashable, Sendable {
  /// gpsd has been asked to write them.
  case written
  /// gpsd refused; in its words.
  case refused(String)
}

/// Writing to the receiver through gpsd.
extension GpsdSession {
  /// Has gpsd write to the receiver, as soon as it watches for us. A session that is stopped writes nothing.
  ///
  /// gpsd says no more than that it was asked; only the receiver's reports show what it did.
  package mutating func write(_ bytes: [UInt8]) -> [Action] {
    self.react { session in
      guard session.state != .stopped else { return }
      session.unwritten.append(bytes)
      session.writeWaiting()
    }
  }

  /// A silent receiver is no fault while it is stopped.
  package mutating func expectSilence(_ isExpected: Bool) {
    self.isSilenceExpected = isExpected
  }

  mutating func writeWaiting() {
    switch self.state {
    case .watched, .streaming, .silent: break
    case .stopped, .waiting, .connecting, .banner, .watching: return
    }
    guard !self.unwritten.isEmpty, let device = self.devices.target else { return }
    for bytes in self.unwritten {
      self.actions += [.send(GpsdRequest.write(bytes, to: device)), .wrote(.written)]
    }
    self.unwritten = []
    self.isWriteUnanswered = true
  }
}
