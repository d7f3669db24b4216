import Glibc

/// Compares what a receiver draws, and how many deadlines are kept, between the broker and other strategies, in
/// days of virtual time: `make bench-energy`.
///
/// Every figure follows from the seeds. The second set of seeds shows that the broker is not made for the first.
@main
struct EnergyBench {
  private static let seeds: [(name: String, seeds: [UInt64])] = [
    ("the seeds used while building", [1, 2, 3]), ("other seeds", [9001, 9002, 9003]),
  ]

  /// Arguments: the path of the chart, and a part of the names of the workloads.
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    let wanted = arguments.dropFirst().first ?? ""
    for (number, set) in self.seeds.enumerated() {
      let comparisons = Comparison.all(seeds: set.seeds, wanted)
      print("\(number > 0 ? "\n" : "")With \(set.name):\n\n\(Comparison.header)")
      for comparison in comparisons { print(comparison.table) }
      print("")
      for comparison in comparisons {
        print("\(comparison.workload): \(comparison.shortfall ?? "the goal is reached")")
      }
      if number > 0 { print("\n\(Comparison.openings(seeds: set.seeds, wanted))") }
      if number > 0, let path = arguments.first { self.write(Chart(comparisons: comparisons).svg, to: path) }
    }
  }

  private static func write(_ text: String, to path: String) {
    guard let file = unsafe fopen(path, "w") else {
      print("\(path) cannot be written: \(unsafe String(cString: strerror(errno)))")
      exit(1)
    }
    let isWritten = unsafe fputs(text, file) >= 0
    guard unsafe fclose(file) == 0, isWritten else {
      print("\(path) cannot be written")
      exit(1)
    }
  }
}
