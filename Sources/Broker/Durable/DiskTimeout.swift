/// How long a call waits for the disk before it is answered that the change is not stored yet.
enum DiskTimeout {
  /// What gives or takes permission: it must be known soon what is in force.
  static let permission: Duration = .seconds(5)
  /// Everything else.
  static let registration: Duration = .seconds(30)
}
