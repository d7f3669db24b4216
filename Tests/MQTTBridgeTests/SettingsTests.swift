import ConfigurationTables
import Positioning
import TestSupport
import Testing

@testable import MQTTBridge

/// The bridge's configuration, and the documents that are made from its tables.
@Suite struct DocumentTests {
  private static let sample = "config/positiond-mqtt.conf"

  private static var opening: String {
    """
    # The configuration of positiond-mqtt: every key, commented out, with its default, and an example of a region.
    #
    # Do not change this file: put your settings into a new file, positiond-mqtt.conf.d/NAME.conf, which overrides this
    # one. `positiond-mqtt --check-config` checks the result, and `systemctl restart positiond-mqtt` applies it.

    """
  }

  private static let home: ConfiguredRegion = {
    var region = ConfiguredRegion(name: "home")
    (region.latitude, region.longitude) = (48.137, -11.575)
    return region
  }()

  private static var file: String {
    self.opening + ConfigurationText.file(BridgeSettings.table) + """

      # A region is a circle; there may be any number of regions, each with its own name.
      #[region \(self.home.name)]

      """ + ConfigurationText.keys(of: ConfiguredRegion.table, in: self.home)
  }

  private static func load(_ text: String) -> Result<BridgeSettings, ConfigurationErrors> {
    BridgeSettings.load(from: [ConfigurationFile(path: "test.conf", contents: Array(text.utf8))])
  }

  private static func errors(_ text: String) -> [String] {
    if case .failure(let errors) = self.load(text) { errors.all.map(\.description) } else { [] }
  }

  @Test("the installed file holds every key, commented, with its default and its meaning")
  func installedFileIsWritten() throws {
    #expect(try WrittenDocument(Self.sample).isCurrent(Self.file), "\(WrittenDocument.advice)")
    #expect(try Self.load(WrittenDocument(Self.sample).text).get() == BridgeSettings())
  }

  @Test("the installed file with every key uncommented has the defaults, and the region of the example")
  func uncommented() throws {
    let lines = try WrittenDocument(Self.sample).text.split(separator: "\n").map { line in
      line.hasPrefix("#") && !line.hasPrefix("# ") ? line.dropFirst() : line
    }
    var expected = BridgeSettings()
    expected.regions = [Self.home]
    #expect(try Self.load(lines.joined(separator: "\n")).get() == expected)
  }

  @Test("the documentation's tables hold every key with its bounds")
  func documented() throws {
    let document = try WrittenDocument("docs/mqtt.md")
    let tables =
      ConfigurationText.tables(BridgeSettings.table)
      + ConfigurationText.table(ConfiguredRegion.table, titled: "region NAME")
      + "\n"
    let written = try #require(ConfigurationText.document(document.text, with: tables))
    #expect(try document.isCurrent(written), "\(WrittenDocument.advice)")
  }

  @Test func `errors say what is wrong, where, and what is expected`() {
    let errors = Self.errors(
      """
      [mqtt]
      prefix=a/b
      tls=maybe
      [device]
      tracker-id=boat
      [region home]
      latitude=-48.5
      [region]
      [rule a]
      user=ada
      """)
    #expect(
      errors == [
        "test.conf:2: prefix=a/b in [mqtt] cannot be read: expected at most 64 letters, digits or -_; "
          + "the default is prefix=positiond",
        "test.conf:3: tls=maybe in [mqtt] cannot be read: expected yes or no; the default is tls=no",
        "test.conf:5: tracker-id=boat in [device] cannot be read: expected nothing, or one or two letters or digits; "
          + "the default is tracker-id=",
        "test.conf:6: [region home] has no centre; add latitude= and longitude=",
        "test.conf:8: [region] has no name that a region can have: expected at most 64 bytes, such as [region home]",
        "test.conf:9: [rule a] is not supported by this version; remove it, or use one of [mqtt], [device], [position], "
          + "[owntracks], [home-assistant], [log], [region NAME]",
      ])
  }

  @Test func `a region has its centre and radius, south and west of zero as well`() throws {
    let settings = try Self.load("[region cape]\nlatitude=-34.357\nlongitude=18.4\nradius=300\n").get()
    let shape = RegionShape.circle(center: Coordinate(latitude: -34.357, longitude: 18.4), radius: 300)
    #expect(settings.regions.compactMap(\.region) == [Region(id: "cape", shape: shape)])
  }
}
