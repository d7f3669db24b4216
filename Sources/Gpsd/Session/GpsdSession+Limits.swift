extension GpsdSession {
  /// How long each state may last, measured against gpsd 3.22 and 3.25.
  enum Limits {
    static let connect: Duration = .seconds(5)
    /// gpsd sends its banner at once, unless it is detecting a device: then it sends nothing to any client for about 6
    /// s. So the silence is reported early, and the connection is kept.
    static let banner: Duration = .seconds(3)
    static let bannerWhenMute: Duration = .seconds(30)
    /// The answer comes after the device was detected: 6 s on a fast port, 20 s if gpsd tries several speeds.
    static let watch: Duration = .seconds(30)
    static let firstReport: Duration = .seconds(10)
    /// Silence is reported after three of the device's cycles, if that is longer than the setting.
    static let cycles = 3
    /// Silence that is expected is a fault if it lasts longer than whoever expects it may wait.
    static let expectedSilence: Duration = .seconds(60)
    /// gpsd 3.22 does not notice that a device was lost until it gets a request. It gets one this long after the last
    /// report, and then at this interval.
    static let poke: Duration = .seconds(10)
    /// gpsd answers at once, unless it is detecting a device: then it sends nothing to any client for about 6 s. If it
    /// does not answer in this time it seems to hang: that is reported, and the connection is kept.
    static let answer: Duration = .seconds(8)
    static let answerWhenMute: Duration = .seconds(30)
    static let reconnectWhenSilent: Duration = .seconds(60)
  }
}
