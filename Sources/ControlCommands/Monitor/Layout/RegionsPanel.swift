import JSONRPC
import Notations
import PositionProtocol
import Positioning
import Printable

/// The regions of the user's durable names, the nearest first.
enum RegionsPanel {
  static func panel(
    _ model: MonitorModel, at moment: CodingMoment, in format: PositionFormat, width: Int, _ glyphs: Glyphs
  ) -> Panel {
    Panel("Regions near by", importance: 5, least: 1, self.rows(model, at: moment, in: format), width: width, glyphs)
  }

  static func rows(_ model: MonitorModel, at moment: CodingMoment, in format: PositionFormat) -> [Row] {
    switch model.regions {
    case .waiting: return [Row("Regions", ["waiting for positiond"], importance: 1)]
    case .missing(let why): return [Row("Regions", [why], .bad, importance: 1)]
    case .known(let regions):
      guard !regions.isEmpty else { return [Row("Regions", ["none under your durable names"], importance: 1)] }
      return self.byDistance(regions, from: model.position.value?.fix).enumerated().map { place, region in
        let info = region.info
        return Row(
          "Region",
          [
            "\(info.region.id): \(info.state.text)",
            region.distance.map { "\(format.distance($0)) to its edge" },
            info.since.map { TimeSpan.since($0, moment) }, "of \(region.name)",
          ], info.state == .inside ? .good : nil, importance: 1 + place)
      }
    }
  }

  private static func byDistance(
    _ regions: [MonitorModel.NamedRegion], from fix: Fix?
  ) -> [(name: String, info: RegionInfo, distance: Double?)] {
    regions.map { region in
      let distance = fix.map { RegionDistance.toEdge(of: region.info.region.shape, from: $0.coordinate) }
      return (region.name, region.info, distance)
    }.sorted { ($0.distance ?? .infinity) < ($1.distance ?? .infinity) }
  }
}
