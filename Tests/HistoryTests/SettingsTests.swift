import ConfigurationTables
import Positioning
import TestSupport
import Testing

@testable import HistoryRecorder

/// The recorder's configuration, and the documents that are made from its tables.
@Suite struct DocumentTests {
  private static let sample = "config/positiond-history.conf"

  private static var file: String {
    """
    # The configuration of positiond-history: every key, commented out, with its default, and an example of a region.
    #
    # Copy what you need to ~/.config/positiond-history.conf. `positiond-history --check-config` checks it, and
    # `systemctl --user restart positiond-history` applies it.

    """ + ConfigurationText.file(RecorderSettings.table) + """

      # A region is a circle whose name is shown with the stays there; there may be any number of regions.
      #[region home]

      """ + ConfigurationText.keys(of: ConfiguredRegion.table, in: self.home)
  }

  private static let home: ConfiguredRegion = {
    var region = ConfiguredRegion(name: "home")
    (region.latitude, region.longitude) = (48.137, -11.575)
    return region
  }()

  private static func load(_ text: String) -> Result<RecorderSettings, ConfigurationErrors> {
    RecorderSettings.load(from: [ConfigurationFile(path: "test.conf", contents: Array(text.utf8))])
  }

  @Test func `the sample holds every key, commented, with its default and its meaning`() throws {
    #expect(try WrittenDocument(Self.sample).isCurrent(Self.file), "\(WrittenDocument.advice)")
    #expect(try Self.load(WrittenDocument(Self.sample).text).get() == RecorderSettings())
  }

  @Test func `the sample with every key uncommented has the defaults, and the region of the example`() throws {
    let lines = try WrittenDocument(Self.sample).text.split(separator: "\n").map { line in
      line.hasPrefix("#") && !line.hasPrefix("# ") ? line.dropFirst() : line
    }
    var expected = RecorderSettings()
    expected.regions = [Self.home]
    #expect(try Self.load(lines.joined(separator: "\n")).get() == expected)
  }

  @Test func `the documentation's tables hold every key with its bounds`() throws {
    let document = try WrittenDocument("docs/history.md")
    let tables =
      ConfigurationText.tables(RecorderSettings.table)
      + ConfigurationText.table(ConfiguredRegion.table, titled: "region NAME") + "\n"
    let written = try #require(ConfigurationText.document(document.text, with: tables))
    #expect(try document.isCurrent(written), "\(WrittenDocument.advice)")
  }

  @Test func `the modes follow or register what they say`() throws {
    let significant = try Self.load("[record]\nmode=significant\n").get()
    #expect(significant.stream == nil && significant.position?.significantDistance == 500)
    let deferred = try Self.load("[record]\nmode=deferred\ninterval=10s\ndistance=20\n").get()
    #expect(deferred.position?.minInterval == .seconds(10) && deferred.position?.minDistance == 20)
    #expect(deferred.longestStep == nil && RecorderSettings().longestStep == .seconds(30))
  }
}
