/// The scale bar, the north arrow and the legend, outside of the map's frame.
enum SVGFurniture {
  /// From the frame's lower edge to the baseline of the notes.
  private static let drop = 27.0
  /// Where the notes begin: to the right of the longest scale bar with its label.
  private static let noteInset = 290.0

  static func scaleBar(_ map: TrackMap) -> ScaleBar {
    ScaleBar(scale: map.scale, limit: map.frame.width / 5)
  }

  static func write(_ track: RecordedTrack, _ map: TrackMap, to output: inout some TextOutputStream) {
    let (left, right) = (map.frame.x, map.frame.x + map.frame.width)
    let bar = self.scaleBar(map)
    let line = map.frame.y + map.frame.height + self.drop
    output.write(
      """
      <path class="needle" d="M\((right - 9).drawn) 28l8 23l-8 -6l-8 6z"/>
      <text class="north" x="\((right - 9).drawn)" y="67" text-anchor="middle">N</text>
      <path class="ink" d="M\(left.drawn) \((line - 9).drawn)v8h\(bar.length.drawn)v-8"/>
      <text class="note" x="\((left + bar.length + 9).drawn)" y="\(line.drawn)">\(bar.label)</text>

      """)
    if !track.accuracies.isEmpty {
      let x = left + self.noteInset
      output.write(
        """
        <g opacity="0.25"><circle class="accuracy" cx="\(x.drawn)" cy="\((line - 4.5).drawn)" r="7"/></g>
        <text class="note" x="\((x + 14).drawn)" y="\(line.drawn)">where the device was, with a probability of 68 %</text>

        """)
    }
    guard let device = track.device else { return }
    output.write(
      """
      <text class="note" x="\(right.drawn)" y="\(line.drawn)" text-anchor="end">\(XML.escaped(device))</text>

      """)
  }
}
