import Positioning

/// The start and the end of a drawn track, with their times.
struct TrackEnds {
  /// The approximate size of a label.
  private static let labelWidth = 150.0
  private static let labelHeight = 24.0
  /// The length of track that decides on which side the label stands.
  private static let reach = 40.0

  private let track: RecordedTrack
  private let frame: TrackMap.Frame
  private let start: TrackMap.Spot
  private let end: TrackMap.Spot
  private let isStartAbove: Bool
  private let isEndAbove: Bool

  init(_ track: RecordedTrack, _ map: TrackMap) {
    self.track = track
    self.frame = map.frame
    let middle = TrackMap.Spot(x: map.frame.x + map.frame.width / 2, y: map.frame.y + map.frame.height / 2)
    let first = map.segments.first ?? []
    let last = map.segments.last ?? []
    let (start, end) = (first.first ?? middle, last.last ?? middle)
    self.start = start
    self.end = end
    if abs(start.y - end.y) < 2 * Self.labelHeight, abs(start.x - end.x) < Self.labelWidth {
      self.isStartAbove = start.y <= end.y
      self.isEndAbove = !self.isStartAbove
    } else {
      // The label stands on the side away from the track.
      self.isStartAbove = (first.first { $0.distance(to: start) > Self.reach } ?? middle).y > start.y
      self.isEndAbove = (last.last { $0.distance(to: end) > Self.reach } ?? middle).y > end.y
    }
  }

  func write(to output: inout some TextOutputStream) {
    output.write(
      """
      <rect class="end" x="\((self.end.x - 6).drawn)" y="\((self.end.y - 6).drawn)" width="12" height="12" rx="2"/>
      <circle class="start" cx="\(self.start.x.drawn)" cy="\(self.start.y.drawn)" r="6"/>

      """)
    self.writeLabel("Start \(Self.clock(self.track.start))", self.start, isAbove: self.isStartAbove, to: &output)
    self.writeLabel("End \(Self.clock(self.track.end))", self.end, isAbove: self.isEndAbove, to: &output)
  }

  private func writeLabel(
    _ text: String, _ spot: TrackMap.Spot, isAbove: Bool, to output: inout some TextOutputStream
  ) {
    let isRight = spot.x > self.frame.x + self.frame.width / 2
    let (x, y) = (spot.x + (isRight ? 6 : -6), spot.y + (isAbove ? -14 : 24))
    output.write(
      """
      <text class="mark" x="\(x.drawn)" y="\(y.drawn)" text-anchor="\(isRight ? "end" : "start")">\(text)</text>

      """)
  }

  /// `12:00:05`.
  private static func clock(_ time: Timestamp) -> String { String("\(time)".dropFirst(11).prefix(8)) }
}
