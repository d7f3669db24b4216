extension Fix {
  /// The place alone.
  public var coordinate: Coordinate {
    Coordinate(latitude: self.latitude, longitude: self.longitude)
  }
}
