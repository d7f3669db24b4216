import JSONRPC
import Positioning
import TestSupport
import Testing

@testable import Broker
@testable import Server

@Suite("A list of regions")
struct RegionListTests {
  /// Regions of the maximum size on the wire: ids of quotation marks, every member, corners with all their digits.
  private static func regions(_ count: Int, corners: Int = 3) -> [RegionInfo] {
    (0..<count).map { number in
      RegionInfo(
        region: Region(
          id: "\(number)" + String(repeating: "\"", count: 120),
          shape: .polygon(
            Array(repeating: Coordinate(latitude: -48.137_154_321, longitude: -111.575_382_123), count: corners)),
          notify: [.enter, .exit, .dwell, .crossed], dwellTime: .seconds(123_456_789.123),
          latency: .seconds(123_456_789.123), expiresIn: .seconds(123_456_789.123), initial: .ifInside),
        state: .outside, since: HandledRequest.now, remaining: .seconds(123_456_789.123))
    }
  }

  private static func ids(_ result: JSONValue) -> [String] {
    (result["regions"]?.elements ?? []).compactMap { if case .string(let id)? = $0["id"] { id } else { nil } }
  }

  /// Like the broker's answer: a page of the regions after the last one.
  private static func list(_ regions: [RegionInfo], after: String?, limits: ServerLimits) throws -> JSONValue {
    let start = after.flatMap { id in regions.firstIndex { $0.region.id == id } }.map { $0 + 1 } ?? 0
    let page = Array(regions[start...].prefix(256))
    return try HandledRequest("region.list", "{}")
      .result(of: .regions(page, omitted: regions.count - start - page.count), limits: limits)
  }

  @Test("is continued after the last region if it is too long for one answer", arguments: [3, 40])
  func pages(corners: Int) throws {
    let (regions, limits) = (Self.regions(600, corners: corners), ServerLimits())
    var listed: [String] = []
    var pages = 0
    while true {
      let page = try Self.list(regions, after: listed.last, limits: limits)
      #expect(page.encoded().count <= limits.maxReply)
      listed += Self.ids(page)
      pages += 1
      guard let omitted = page["omitted"] else { break }
      #expect(omitted == .integer(regions.count - listed.count))
    }
    #expect(listed == regions.map(\.region.id))
    #expect(pages > 5 && pages < 30, "\(pages)")
  }

  @Test("has at least one, however large it is")
  func one() throws {
    var limits = ServerLimits()
    limits.maxOutbound = 4096
    let regions = Self.regions(3, corners: 1000)
    let page = try Self.list(regions, after: nil, limits: limits)
    #expect(Self.ids(page) == [regions[0].region.id] && page["omitted"] == 2)
    #expect(try Self.list(regions, after: regions[2].region.id, limits: limits) == ["regions": []])
  }

  @Test("cannot continue after a missing region")
  func unknown() {
    #expect(throws: RPCError.notFound("region away")) {
      try HandledRequest("region.list", #"{"after":"away"}"#).result(of: .failed(.noRegion(id: "away")))
    }
  }

  @Test("of several durable names fits into one answer together")
  func names() throws {
    let infos = ["a", "b", "c"].map { name in
      DurableInfo(
        name: name, regions: Self.regions(100), hasVisits: false, waiting: 0, lastEvent: 0, isAttached: false)
    }
    let result = try HandledRequest("durable.list", "{}").result(of: .durables(infos))
    let names: [JSONValue] = result["names"]?.elements ?? []
    #expect(names.count == 3 && result.encoded().count <= ServerLimits().maxReply + 3 * 200)
    for name in names {
      let listed: Int = name["regions"]?.elements.count ?? 0
      #expect(name["omitted"] == (listed == 100 ? nil : .integer(100 - listed)))
    }
    #expect(names.last?["regions"] == [] && names.first?["regions"] != [])
  }
}
