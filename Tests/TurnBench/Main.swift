/// Prints the cost of one turn of the broker at several sizes of what makes it expensive, and the memory of what is
/// held: `make bench-turns`.
///
/// The figures of one run may be compared with each other; they are those of the machine and the moment.
@main
struct TurnBench {
  static func main() {
    let wanted = CommandLine.arguments.dropFirst().first ?? ""
    print("| what | bytes of memory |\n|---|---|")
    for weight in Weight.all where wanted.isEmpty || weight.name.contains(wanted) {
      print("| \(weight.name) | \(weight.measure()) |")
    }
    print("\n| what | size | longest turn, ms | all turns, ms | longest, against the smallest size |")
    print("|---|---|---|---|---|")
    for load in Load.all where wanted.isEmpty || load.name.contains(wanted) {
      var smallest: Double?
      for size in load.sizes {
        let (longest, total) = load.measure(size)
        let ratio = longest / (smallest ?? longest)
        smallest = smallest ?? longest
        print("| \(load.name) | \(size) | \(Self.rounded(longest)) | \(Self.rounded(total)) | \(Self.rounded(ratio)) |")
      }
    }
  }

  private static func rounded(_ number: Double) -> String { "\((number * 1000).rounded() / 1000)" }
}
