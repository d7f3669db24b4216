public import Positioning

extension RegionObject {
  /// The region with its defaults filled in.
  public init(_ region: Region) {
    let (circle, polygon): (Circle?, [Corner]?) =
      switch region.shape {
      case .circle(let center, let radius):
        (
          Circle(
            latitude: center.latitude.toCoordinate, longitude: center.longitude.toCoordinate,
            radius: radius.toThousandths), nil
        )
      case .polygon(let corners):
        (
          nil,
          corners.map {
            Corner(Coordinate(latitude: $0.latitude.toCoordinate, longitude: $0.longitude.toCoordinate))
          }
        )
      }
    self.init(
      id: region.id, circle: circle, polygon: polygon,
      notify: RegionEventKind.onDemand.filter { region.notify.contains($0) },
      dwellTime: region.dwellTime?.wireSeconds, latency: region.latency?.wireSeconds,
      expiresIn: region.expiresIn?.wireSeconds, initial: region.initial)
  }

  /// The region that is meant; `nil` where it has no shape, or two.
  public var region: Region? {
    let shape: RegionShape
    switch (self.circle, self.polygon) {
    case (let circle?, nil):
      shape = .circle(
        center: Coordinate(latitude: circle.latitude, longitude: circle.longitude), radius: circle.radius)
    case (nil, let polygon?): shape = .polygon(polygon.map(\.coordinate))
    case (nil, nil), (.some, .some): return nil
    }
    return Region(
      id: self.id, shape: shape, notify: self.notify.map { Set($0) } ?? [.enter, .exit],
      dwellTime: self.dwellTime.map { Duration(wireSeconds: $0) },
      latency: self.latency.map { Duration(wireSeconds: $0) },
      expiresIn: self.expiresIn.map { Duration(wireSeconds: $0) }, initial: self.initial ?? .none)
  }
}
