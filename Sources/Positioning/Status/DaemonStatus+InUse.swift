extension DaemonStatus {
  /// A user whose programs get positions.
  public struct InUse: Hashable, Sendable {
    /// The user's number.
    public var uid: UInt32
    /// The user's name, if the system has one.
    public var user: String?
    /// The systemd unit, if it is certain.
    public var unit: String?
    /// The programs' own names for themselves, each once; only some if there are many.
    public var programs: [String]
    /// Since when.
    public var since: Instant

    public init(uid: UInt32, user: String? = nil, unit: String? = nil, programs: [String], since: Instant) {
      self.uid = uid
      self.user = user
      self.unit = unit
      self.programs = programs
      self.since = since
    }
  }

  /// The most users that are listed, since any user may be among them.
  package static let maximumInUse = 64
}
