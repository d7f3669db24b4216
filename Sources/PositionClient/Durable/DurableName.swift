public import PositionProtocol

/// A name under which regions, visits and position updates are registered so that they outlive the program: see
/// `PositionClient.durable`.
///
/// What is registered belongs to the user and the name. What happens meanwhile waits, on the disk, for whoever takes
/// `events`; it goes away only when it is acknowledged.
///
/// ```swift
/// let tracker = client.durable(name: "tracker", wake: "tracker.service")
/// try await tracker.add(Region(id: "home", shape: .circle(center: home, radius: 150)))
/// for try await event in tracker.events() {
///   if let region = event.region { note(region) }
///   try await tracker.acknowledge(event)
/// }
/// ```
public struct DurableName: Sendable {
  /// The name: 1 to 64 bytes without control characters.
  public let name: String
  /// A service of the system that an event starts when no program takes it; `nil`, none, or the one that was registered.
  public let wake: String?
  let client: PositionClient

  /// As requests that register something have it.
  var parameter: DurableParameter { DurableParameter(name: self.name, wake: self.wake) }

  /// As others have it.
  var reference: DurableNameParameter { DurableNameParameter(name: self.name) }

  /// What is registered under the name, and what waits; `nil` where nothing ever was, or it was removed.
  ///
  /// Where there are very many regions it lists the first of them; `regions` has all.
  public func registered() async throws(PositionError) -> DurableObject? {
    try await self.client.durableNames().first { $0.durable == self.name }
  }

  /// Removes the name, with all that is registered under it and all that waits.
  ///
  /// It is sent once: where the connection is lost before the answer comes, it throws.
  ///
  /// - Returns: How many events nobody took.
  @discardableResult
  public func remove() async throws(PositionError) -> Int {
    try await self.client.send(DurableRemoveRequest(name: self.name)).waiting
  }
}
