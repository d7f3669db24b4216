extension Fix {
  /// Where, without the rest.
  public var coordinate: Coordinate {
    Coordinate(latitude: self.latitude, longitude: self.longitude)
  }
}
