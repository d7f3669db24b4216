import PositionProtocol
import Positioning
import ProgramArguments

extension ValueKind where Value == Acquisition {
  /// How a significant change is followed up.
  static let acquisition = ValueKind(
    placeholder: "SECONDS[,METRES[,METRES]]",
    expectation: "seconds, and if you like the desired and the acceptable accuracy, such as 30, 30s,5m or 30s,5m,50m"
  ) { text in
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let accuracies = parts.dropFirst().compactMap { Quantity.meters($0) }.filter { $0 > 0 }
    guard (1...3).contains(parts.count), let budget = Quantity.seconds(parts[0]), budget >= 0.1,
      accuracies.count == parts.count - 1
    else { return nil }
    var acquisition = Acquisition(budget: Duration(wireSeconds: budget))
    if let desired = accuracies.first { acquisition.desiredAccuracy = desired }
    if accuracies.count > 1 { acquisition.acceptableAccuracy = accuracies[1] }
    return acquisition
  }
}
