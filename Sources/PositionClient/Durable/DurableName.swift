import PositionProtocol
public import Positioning

/// A name under which regions, visits and position updates are registered so that they outlive the program: see
/// `PositionClient.durable`.
///
/// Registrations belong to the user and the name. Their events wait on the disk for a program that iterates `events`,
/// and are deleted only when they are acknowledged.
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
  /// The systemd service that an event starts when no program is attached; `nil`: no service, or the one that was
  /// registered before.
  public let wake: String?
  let client: PositionClient

  /// The parameter of requests that register something.
  var parameter: DurableRequest { DurableRequest(name: self.name, wake: self.wake) }

  /// What is registered under the name, and how many events wait; `nil` if nothing was ever registered, or the name was
  /// removed.
  ///
  /// A long list of regions is cut off; `regions` returns all.
  public func registered() async throws(PositionError) -> DurableInfo? {
    try await self.client.durableNames().first { $0.name == self.name }
  }

  /// Removes the name with its registrations and waiting events.
  ///
  /// The request is sent once: if the connection is lost before the answer arrives, it throws.
  ///
  /// - Returns: How many events were not acknowledged.
  @discardableResult
  public func remove() async throws(PositionError) -> Int {
    try await self.client.send(DurableRemoveRequest(name: self.name)).waiting
  }
}
