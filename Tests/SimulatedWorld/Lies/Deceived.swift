/// A law that does not see what happened: what it gets in place of each observation is a lie.
final class Deceived: Law {
  static let promise = OneAnswer.promise

  private var law: any Law
  private let lie: (Observation, World) -> [Observation]

  init(_ law: any Law, by lie: @escaping (Observation, World) -> [Observation]) {
    self.law = law
    self.lie = lie
  }

  var name: String { "\(type(of: self.law))" }
  var breaches: [Breach] { self.law.breaches }

  func observe(_ observation: Observation, in world: World) {
    for seen in self.lie(observation, world) { self.law.observe(seen, in: world) }
  }

  func end(in world: World) { self.law.end(in: world) }
}

extension JSON {
  /// With another value at a path of members; the same if there is no such member.
  func with(_ path: [String], _ change: (JSON) -> JSON) -> JSON {
    guard let name = path.first else { return change(self) }
    guard case .object(var members) = self, let member = members[name] else { return self }
    members[name] = member.with(Array(path.dropFirst()), change)
    return .object(members)
  }

  /// With so much added to a number at a path.
  func adding(_ amount: Double, to path: String...) -> JSON {
    self.with(path) { .number(($0.number ?? 0) + amount) }
  }

  func setting(_ value: JSON, at path: String...) -> JSON { self.with(path) { _ in value } }

  /// An object without a member.
  func removing(_ name: String) -> JSON {
    guard case .object(var members) = self else { return self }
    members[name] = nil
    return .object(members)
  }

  /// An object with one member more, or another one.
  func adding(_ member: JSON, as name: String) -> JSON {
    guard case .object(var members) = self else { return self }
    members[name] = member
    return .object(members)
  }
}
