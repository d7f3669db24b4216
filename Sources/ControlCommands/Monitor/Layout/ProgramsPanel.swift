import JSONRPC
import Notations
import PositionProtocol
import Positioning
import Printable

/// Who asks for what, and who decides the rate.
enum ProgramsPanel {
  static func panel(
    _ model: MonitorModel, at moment: CodingMoment, in format: PositionFormat, width: Int, _ glyphs: Glyphs
  ) -> Panel {
    Panel("Programs", importance: 3, least: 2, self.rows(model, at: moment, in: format), width: width, glyphs)
  }

  static func rows(_ model: MonitorModel, at moment: CodingMoment, in format: PositionFormat) -> [Row] {
    let status: DaemonStatus
    switch model.status {
    case .waiting: return [Row("Needed by", ["waiting for positiond"], importance: 1)]
    case .missing: return [Row("Needed by", [MonitorModel.unconnected], .bad, importance: 1)]
    case .known(let known): status = known
    }
    var rows = self.demands(status, in: format)
    if !status.inUse.isEmpty {
      rows.append(Row("In use by", [StatusFormat.inUse(status.inUse, moment, isRoot: false)], importance: 50))
    }
    rows.append(
      Row(
        "Clients",
        [
          status.clients.counted("connection", "connections"),
          status.subscriptions.counted("subscription", "subscriptions"),
          status.requests.counted("request", "requests") + " in flight",
        ], importance: 60))
    return rows
  }

  /// The decisive ones first, as the daemon sends them.
  private static func demands(_ status: DaemonStatus, in format: PositionFormat) -> [Row] {
    guard let demand = status.demand else {
      return [Row("Needed by", StatusFormat.why(status, in: format), importance: 1)]
    }
    let rate = Row("Rate", [StatusFormat.demand(demand, format)], .bold, importance: 1)
    let rows = demand.clients.enumerated().map { place, client in
      Row(
        client.isDecisive ? "decides" : "asks",
        [
          PrincipalFormat.short(client.principal), "\(client.what) \(StatusFormat.need(client.demand, format))",
          client.principal.pid.map { "process \($0)" }, client.principal.purpose.map { "for \"\($0)\"" },
        ],
        client.isDecisive ? .good : nil, importance: 2 + place)
    }
    let others = StatusFormat.others(demand, isAlone: rows.isEmpty)
    return [rate] + rows + others.map { Row("", [$0], importance: 40) }
  }
}
