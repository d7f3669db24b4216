package import Positioning

extension SubscriptionChange {
  /// Names a parameter, with a value that is not its default.
  package mutating func set(_ parameter: SubscriptionParameter) {
    switch parameter.property {
    case .accuracy(let path): self[dynamicMember: path] = .meters(3)
    case .acquisition(let path): self[dynamicMember: path] = Acquisition(budget: .seconds(30))
    case .activity(let path): self[dynamicMember: path] = .fitness
    case .duration(let path): self[dynamicMember: path] = .seconds(7)
    case .flag(let path): self[dynamicMember: path] = true
    case .integrity(let path): self[dynamicMember: path] = .trusted
    case .mode(let path): self[dynamicMember: path] = .significant
    case .number(let path): self[dynamicMember: path] = 8
    case .optionalCount(let path): self[dynamicMember: path] = 11
    case .optionalDuration(let path): self[dynamicMember: path] = .seconds(12)
    case .optionalNumber(let path): self[dynamicMember: path] = 10
    case .replay(let path): self[dynamicMember: path] = .any
    }
  }
}
