import ReceiverSimulator

/// All strategies in one workload, for several seeds together.
struct Comparison {
  struct Row {
    let strategy: String
    let outcome: Outcome
    /// The charge, over that of the bound.
    let ratio: Double
  }

  let workload: String
  let isAnnounced: Bool
  let days: Int
  let rows: [Row]

  private typealias Run = @Sendable (Workload, UInt64, Opening) -> Outcome

  private static let strategies: [(name: String, run: Run)] = [
    (AlwaysOn.name, AlwaysOn.run), (WhileSubscribed.name, WhileSubscribed.run), (AndroidRule.name, AndroidRule.run),
    (MeshtasticRule.name, MeshtasticRule.run), (Ours.name, Ours.run), (Bound.name, Bound.run),
  ]

  /// - Parameter wanted: Only workloads whose names contain it.
  static func all(seeds: [UInt64], _ wanted: String, opening: Opening = .usual) -> [Comparison] {
    let workloads = seeds.map { Workload.all(seed: $0) }
    return workloads[0].indices.filter { wanted.isEmpty || workloads[0][$0].name.contains(wanted) }.map { index in
      let outcomes = Self.strategies.map { strategy in
        zip(workloads, seeds).map { strategy.run($0[index], $1, opening) }.reduce(
          Outcome(charge: 0, onTime: 0, starts: 0, judgement: Judgement()), +)
      }
      let bound = outcomes[outcomes.count - 1].charge
      return Comparison(
        workload: workloads[0][index].name, isAnnounced: workloads[0][index].isAnnounced,
        days: workloads[0][index].days * seeds.count,
        rows: zip(Self.strategies, outcomes).map { Row(strategy: $0.name, outcome: $1, ratio: $1.charge / bound) })
    }
  }

  // MARK: The goals

  private var ours: Row? { self.rows.first { $0.strategy == Ours.name } }

  /// What is missing for the goal; `nil`: nothing. A hundredth more is no more.
  var shortfall: String? {
    guard let ours else { return nil }
    if self.isAnnounced {
      let kept = ours.outcome.kept ?? 1
      if kept < 0.995 { return "\(percent(kept)) of the deadlines kept, not 99.5 %" }
      if ours.ratio > 1.15 { return "\(rounded(ours.ratio, 2)) of the bound's charge, not 1.15" }
    }
    let better = self.rows.filter { row in
      row.strategy != Ours.name && row.strategy != Bound.name && row.outcome.charge < 0.99 * ours.outcome.charge
        && row.outcome.kept ?? 1 >= ours.outcome.kept ?? 1
    }
    return better.isEmpty
      ? nil : "less charge, at no worse deadlines: \(better.map(\.strategy).joined(separator: ", "))"
  }

  /// What the broker takes by the ways in which gpsd opens the device; mA·s a day.
  static func openings(seeds: [UInt64], _ wanted: String) -> String {
    let columns = Opening.all.map { way in Self.all(seeds: seeds, wanted, opening: way.opening) }
    let head = ["workload"] + Opening.all.map(\.name)
    let rows = columns[0].indices.map { index in
      let cells = columns.map { comparisons in
        guard let ours = comparisons[index].ours else { return "" }
        let charge = ours.outcome.charge / Double(comparisons[index].days)
        return "\(rounded(charge, 0)); \(rounded(ours.ratio, 2)); \(ours.outcome.kept.map(percent) ?? "none due")"
      }
      return ([columns[0][index].workload] + cells).joined(separator: " | ")
    }
    return ([head.joined(separator: " | "), head.map { _ in "---" }.joined(separator: " | ")] + rows)
      .map { "| \($0) |" }.joined(separator: "\n")
  }

  // MARK: The table

  static let header = """
    | workload | strategy | mA·s a day | J a day | on, s a day | starts a day | of the bound | deadlines kept | late, by s on average |
    |---|---|---|---|---|---|---|---|---|
    """

  var table: String {
    self.rows.map { row in
      let (outcome, judgement) = (row.outcome, row.outcome.judgement)
      let days = Double(self.days)
      let late = judgement.late > 0 ? rounded(judgement.lateness / Double(judgement.late), 1) : ""
      return """
        | \(self.workload) | \(row.strategy) | \(rounded(outcome.charge / days, 0)) \
        | \(rounded(outcome.charge / days * Currents.volts / 1000, 1)) | \(rounded(outcome.onTime / days, 0)) \
        | \(rounded(Double(outcome.starts) / days, 1)) | \(rounded(row.ratio, 2)) \
        | \(outcome.kept.map(percent) ?? "none due") | \(judgement.late > 0 ? "\(judgement.late), \(late)" : "") |
        """
    }.joined(separator: "\n")
  }
}

func rounded(_ number: Double, _ decimals: Int) -> String {
  guard decimals > 0 else { return "\(Int(number.rounded()))" }
  let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
  let scaled = Int((number * Double(scale)).rounded())
  let fraction = "\(scaled % scale)"
  return "\(scaled / scale).\(String(repeating: "0", count: decimals - fraction.count))\(fraction)"
}

func percent(_ share: Double) -> String { "\(rounded(share * 100, 2)) %" }
