extension GpsdSession {
  /// How long each state may last, measured against gpsd 3.22 and 3.25.
  enum Limits {
    static let connect: Duration = .seconds(5)
    /// gpsd speaks first, at once unless it probes a device: then it is mute to all its clients for about 6 s. So this
    /// is told early, and waited for longer.
    static let banner: Duration = .seconds(3)
    static let bannerWhenMute: Duration = .seconds(30)
    /// The answer comes after the device was probed: 6 s on a fast port, 20 s where the speed is hunted for.
    static let watch: Duration = .seconds(30)
    static let firstReport: Duration = .seconds(10)
    /// Silence is told after three of the device's cycles, where that is more than what is set.
    static let cycles = 3
    /// gpsd 3.22 does not notice that a device was lost until it is asked something. It is asked so long after the last
    /// report, and so often from then on.
    static let poke: Duration = .seconds(10)
    /// gpsd answers at once, unless it probes a device: then it is mute to all its clients for about 6 s. One that has
    /// not answered in so long hangs, as far as can be known: that is told, and waited for longer.
    static let answer: Duration = .seconds(8)
    static let answerWhenMute: Duration = .seconds(30)
    static let reconnectWhenSilent: Duration = .seconds(60)
  }
}
