extension DaemonStatus {
  /// A user whose programs are being given positions.
  public struct InUse: Hashable, Sendable {
    /// The user's number.
    public var uid: UInt32
    /// The user's name, where the system has one.
    public var user: String?
    /// The system unit, where it is known safely.
    public var unit: String?
    /// What the programs call themselves; each once, some of them where there are many.
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
