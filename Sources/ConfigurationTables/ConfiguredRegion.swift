package import Positioning

/// The section `[region NAME]`: a circle whose border is watched.
package struct ConfiguredRegion: Hashable, Sendable {
  package let name: String
  /// Degrees.
  package var latitude: Double?
  /// Degrees.
  package var longitude: Double?
  /// Metres.
  package var radius: Double = 150

  package init(name: String) { self.name = name }

  /// The region as it is registered; `nil` if it has no centre.
  package var region: Region? {
    guard let latitude, let longitude else { return nil }
    let centre = Coordinate(latitude: latitude, longitude: longitude)
    return Region(id: self.name, shape: .circle(center: centre, radius: self.radius))
  }
}

extension ConfiguredRegion: ConfigurationPart {
  package static let defaults = ConfiguredRegion(name: "NAME")
  package static let section = "region"

  /// The keys in the order of the documentation.
  package static let table: [ConfigurationKey<ConfiguredRegion>] = [
    ConfigurationKey(
      section, "latitude", \.latitude, .orUnset(.decimal(-90...90, unit: "degrees")),
      "The centre's latitude, positive north", effect: .afterRestart),
    ConfigurationKey(
      section, "longitude", \.longitude, .orUnset(.decimal(-180...180, unit: "degrees")),
      "The centre's longitude, positive east", effect: .afterRestart),
    ConfigurationKey(
      section, "radius", \.radius, .decimal(1...1_000_000, unit: "metres"), "Metres", effect: .afterRestart),
  ]

  package static func error(ofName name: String?) -> String? {
    guard let name, DurableRequest.isValid(name: name) else {
      return "has no name that a region can have: expected at most 64 bytes, such as [region home]"
    }
    return nil
  }

  package var error: PartError? {
    self.region == nil ? PartError("has no centre; add latitude= and longitude=") : nil
  }
}
