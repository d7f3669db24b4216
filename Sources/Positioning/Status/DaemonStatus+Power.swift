extension DaemonStatus {
  /// Whether the receiver uses power, and for how much of the time it did.
  public struct Power: Hashable, Sendable {
    /// The receiver's power, as far as it is known.
    public var current: PowerState
    /// How long the receiver was on since the daemon started.
    public var onTime: Duration
    /// The share of the time that the receiver was on.
    public var dutyCycle: DutyCycle
    /// How often the receiver was started.
    public var starts: Starts
    /// When the receiver was on last, the oldest first; at most 32 periods.
    public var periods: [OnPeriod]
    /// When it is turned on next, if that is known.
    public var nextStart: NextStart?
    /// How long its starts take.
    public var timeToFirstFix: StartTimes

    public init(
      current: PowerState, onTime: Duration, dutyCycle: DutyCycle, starts: Starts, periods: [OnPeriod] = [],
      nextStart: NextStart? = nil, timeToFirstFix: StartTimes = StartTimes()
    ) {
      self.current = current
      self.onTime = onTime
      self.dutyCycle = dutyCycle
      self.starts = starts
      self.periods = periods
      self.nextStart = nextStart
      self.timeToFirstFix = timeToFirstFix
    }
  }

  /// The share of the time that the receiver was on, from 0 to 1.
  public struct DutyCycle: Hashable, Sendable {
    /// In the last hour.
    public var hour: Double
    /// In the last day.
    public var day: Double

    public init(hour: Double, day: Double) {
      self.hour = hour
      self.day = day
    }
  }

  /// How often the receiver was started since the daemon was.
  public struct Starts: Hashable, Sendable {
    /// In all.
    public var total: Int

    public init(total: Int) {
      self.total = total
    }
  }
}
