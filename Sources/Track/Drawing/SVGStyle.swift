/// The colours of a drawn track, for a light page and for a dark one.
enum SVGStyle {
  /// Viewers without support for dark pages use the light style; both have their own background.
  static let sheet = """
    text { font-family: system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #1d2733; }
    .title { font-size: 21px; font-weight: 600; }
    .summary, .note { font-size: 13px; fill: #5b6774; }
    .north { font-size: 12px; font-weight: 600; }
    .mark { font-size: 13px; font-weight: 600; stroke: #fff; stroke-width: 4px; stroke-linejoin: round;
      paint-order: stroke; }
    .paper { fill: #fff; }
    .land { fill: #f5f6f3; stroke: #d9ddd6; }
    .grid { stroke: #e4e7e1; fill: none; }
    .accuracy { fill: #1463d6; }
    .casing { fill: none; stroke: #fff; stroke-width: 4.6; stroke-linejoin: round; stroke-linecap: round;
      opacity: 0.85; }
    .track { fill: none; stroke: #1463d6; stroke-width: 2.6; stroke-linejoin: round; stroke-linecap: round; }
    .gap { stroke: #5b6774; stroke-width: 1.5; stroke-dasharray: 1 6; stroke-linecap: round; fill: none; }
    .way { fill: #1463d6; stroke: #fff; stroke-width: 1.2; stroke-linejoin: round; }
    .start { fill: #12834a; stroke: #fff; stroke-width: 2; }
    .end { fill: #c8352b; stroke: #fff; stroke-width: 2; }
    .ink { stroke: #1d2733; stroke-width: 1.5; fill: none; }
    .needle { fill: #1d2733; }
    @media (prefers-color-scheme: dark) {
      text, .needle { fill: #e8edf2; }
      .summary, .note { fill: #9aa6b2; }
      .north { font-size: 12px; font-weight: 600; }
    .mark { stroke: #161b20; }
      .paper { fill: #161b20; }
      .land { fill: #1c2229; stroke: #333c46; }
      .grid { stroke: #29313a; }
      .accuracy { fill: #6aabff; }
      .casing { stroke: #161b20; }
      .track { stroke: #6aabff; }
      .gap { stroke: #9aa6b2; }
      .way { fill: #6aabff; stroke: #161b20; }
      .start { fill: #43d089; stroke: #161b20; }
      .end { fill: #ff7a6e; stroke: #161b20; }
      .ink { stroke: #e8edf2; }
    }
    """
}
