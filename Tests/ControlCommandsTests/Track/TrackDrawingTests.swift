import PositionProtocol
import Positioning
import Testing

@testable import ControlCommands
@testable import Track

/// Drawings of tracks.
struct TrackDrawingTests {
  private typealias Sample = TrackSamples

  private static func map(_ segments: [[Fix]]) throws -> TrackMap {
    TrackMap(try #require(Sample.track(segments)), origin: (0, 0), width: 896, heights: 420...904)
  }

  @Test("A small track is drawn exactly like this")
  func exact() throws {
    // 44.5 m to the north, then a loss, then 36.9 m to the east.
    let track = try #require(
      Sample.track([
        [Sample.fix(0, 48, 11, accuracy: 5), Sample.fix(10, 48.0004, 11, accuracy: 10)],
        [Sample.fix(30, 48.0004, 11.0005, accuracy: 5)],
      ]))
    let text = Sample.written(track, .svg)
    let style = try #require(text.firstRange(of: "</style>\n"))
    #expect(
      text[style.upperBound...] == """
        <rect class="paper" width="100%" height="100%"/>
        <text class="title" x="28" y="42">Track of 2026-01-31, 12:00:00 to 12:00:30 UTC</text>
        <text class="summary" x="28" y="67">3 fixes, 44 m in 30 s, 2 segments \u{B7} accuracy \u{B1}5.0 m, at worst \u{B1}10 m</text>
        <clipPath id="frame"><rect x="28" y="88" width="904" height="904" rx="6"/></clipPath>
        <rect class="land" x="28" y="88" width="904" height="904" rx="6"/>
        <g clip-path="url(#frame)">
        <path class="grid" d="M118.8 88v904M209.7 88v904M300.5 88v904M391.3 88v904M482.2 88v904M573 88v904M663.8 88v904\
        M754.7 88v904M845.5 88v904M28 178.8h904M28 269.7h904M28 360.5h904M28 451.3h904M28 542.2h904M28 633h904M28 723.8h904\
        M28 814.7h904M28 905.5h904"/>
        <g class="accuracy" opacity="0.25">
        <circle cx="141.1" cy="944" r="90.8"/>
        <circle cx="141.1" cy="136" r="181.7"/>
        <circle cx="818.9" cy="136" r="90.8"/>
        </g>
        <polyline class="gap" points="141.1,136 818.9,136"/>
        <g class="casing">
        <polyline points="141.1,944 141.1,136"/>
        <polyline points="818.9,136 818.9,136"/>
        </g>
        <g class="track">
        <polyline points="141.1,944 141.1,136"/>
        <polyline points="818.9,136 818.9,136"/>
        </g>
        <path class="way" d="M-6 -5.5L7 0L-6 5.5L-3.5 0z" transform="translate(141.1 136) rotate(-90)"/>
        </g>
        <rect class="end" x="812.9" y="130" width="12" height="12" rx="2"/>
        <circle class="start" cx="141.1" cy="944" r="6"/>
        <text class="mark" x="135.1" y="968" text-anchor="start">Start 12:00:00</text>
        <text class="mark" x="824.9" y="122" text-anchor="end">End 12:00:30</text>
        <path class="needle" d="M923 28l8 23l-8 -6l-8 6z"/>
        <text class="north" x="923" y="67" text-anchor="middle">N</text>
        <path class="ink" d="M28 1010v8h90.8v-8"/>
        <text class="note" x="127.8" y="1019">5 m</text>
        <g opacity="0.25"><circle class="accuracy" cx="318" cy="1014.5" r="7"/></g>
        <text class="note" x="332" y="1019">where the device was, with a probability of 68 %</text>
        </svg>

        """)
  }

  @Test("Every segment is one line, every gap is dotted, and there is no script")
  func segments() throws {
    let segments = [0.0, 100, 200, 300].map { start in
      [0.0, 1, 2, 3, 4].map { Sample.fix(start + $0, 48 + (start + $0) / 1e4) }
    }
    let track = try #require(Sample.track(segments))
    let text = Sample.written(track, .svg)
    let drawn = text.split(separator: "\n").filter { $0.hasPrefix("<polyline points") }
    // The line and the lighter one below it.
    #expect(drawn.count == 8)
    #expect(text.split(separator: "\n").count { $0.hasPrefix("<polyline class=\"gap\"") } == 3)
    #expect(!text.contains("<script") && !text.contains("href"))
    #expect(text.contains("prefers-color-scheme: dark"))
  }

  @Test(
    "The scale bar has a round length, at most its limit and not much shorter",
    arguments: [0.0001, 0.013, 0.9, 1, 3.7, 25, 1234] as [Double])
  func scaleBar(scale: Double) {
    let bar = ScaleBar(scale: scale, limit: 180)
    #expect(bar.length <= 180 && bar.length > 70)
    let digits = "\(bar.label.prefix { $0 != " " })"
    #expect(["1", "2", "5"].contains(digits.filter { $0 != "0" }), "\(bar.label)")
    #expect(abs(bar.meters * scale - bar.length) < 1e-9)
  }

  @Test(
    "Distances and directions are true on the sheet, everywhere",
    arguments: [(48.0, 11.0), (0, 180), (-16, -179.9995), (89.999, 0), (-89.9999, 100), (0, 0)])
  func projection(latitude: Double, longitude: Double) throws {
    // 100 m to the north.
    let north = latitude + 100 / 111_200
    let ends =
      north > 90
      ? (Sample.fix(1, 180 - north, longitude - 180)) : Sample.fix(1, north, longitude)
    let map = try Self.map([[Sample.fix(0, latitude, longitude), ends]])
    let (start, end) = (map.segments[0][0], map.segments[0][1])
    #expect(abs(start.distance(to: end) / map.scale - 100) < 1)
  }

  @Test("North is up and east is right")
  func directions() throws {
    let map = try Self.map([
      [Sample.fix(0, 48, 11), Sample.fix(1, 48.001, 11), Sample.fix(2, 48.001, 11.001)]
    ])
    let spots = map.segments[0]
    #expect(spots[1].y < spots[0].y - 50 && abs(spots[1].x - spots[0].x) < 0.1)
    #expect(spots[2].x > spots[1].x + 50 && abs(spots[2].y - spots[1].y) < 0.1)
  }

  @Test("A track is within its frame, and a stationary device is not magnified")
  func fits() throws {
    for extent in [0, 1e-9, 1e-5, 0.01, 3] as [Double] {
      let map = try Self.map([[Sample.fix(0, 48, 11, accuracy: 4), Sample.fix(1, 48 + extent, 11 + extent)]])
      for spot in map.segments[0] {
        #expect(spot.x >= 40 && spot.x <= 856 && spot.y >= 40 && spot.y <= map.frame.height - 40)
      }
      #expect(map.scale <= 20.1)
      #expect((420...904).contains(map.frame.height))
    }
  }

  @Test("A day of fixes is drawn with no more points than are visible")
  func day() throws {
    let fixes = (0..<86_400).map { second in
      Sample.fix(Double(second), 48, 11 + Double(second) / 4e6, accuracy: 3)
    }
    let text = Sample.written(try #require(Sample.track([fixes])), .svg)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("<polyline points") })
    // 808 units wide.
    #expect((800...2100).contains(line.split(separator: " ").count))
  }
}
