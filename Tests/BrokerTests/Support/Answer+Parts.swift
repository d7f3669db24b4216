import Positioning
import Testing

@testable import Broker

/// The parts of an answer of a kind. An answer of another kind ends the test, and is named.
extension Answer? {
  @discardableResult
  func subscribed(_ location: SourceLocation = #_sourceLocation) throws -> SubscriptionInfo {
    try self.part(location) { if case .subscription(.begun(let info)) = $0 { info } else { nil } }
  }

  /// The name.
  func durableSubscribed(_ location: SourceLocation = #_sourceLocation) throws -> String {
    try self.part(location) { if case .subscription(.durable(let name, _, _)) = $0 { name } else { nil } }
  }

  func subscriptions(_ location: SourceLocation = #_sourceLocation) throws -> [SubscriptionInfo] {
    try self.part(location) { if case .subscriptions(let infos) = $0 { infos } else { nil } }
  }

  func regions(_ location: SourceLocation = #_sourceLocation) throws -> (page: [RegionInfo], omitted: Int) {
    try self.part(location) { if case .regions(let page) = $0 { (page.regions, page.omitted) } else { nil } }
  }

  func durables(_ location: SourceLocation = #_sourceLocation) throws -> [DurableInfo] {
    try self.part(location) { if case .durables(let infos) = $0 { infos } else { nil } }
  }

  func requests(_ location: SourceLocation = #_sourceLocation) throws -> [OpenCall] {
    try self.part(location) { if case .requests(let infos) = $0 { infos } else { nil } }
  }

  func clients(_ location: SourceLocation = #_sourceLocation) throws -> [ClientInfo] {
    try self.part(location) { if case .clients(let infos) = $0 { infos } else { nil } }
  }

  func grants(_ location: SourceLocation = #_sourceLocation) throws -> [Grant] {
    try self.part(location) { if case .grants(let infos) = $0 { infos } else { nil } }
  }

  @discardableResult
  func grant(_ location: SourceLocation = #_sourceLocation) throws -> Grant {
    try self.part(location) { if case .grant(let info) = $0 { info } else { nil } }
  }

  func authorization(_ location: SourceLocation = #_sourceLocation) throws -> Authorization {
    try self.part(location) { if case .authorization(let authorization) = $0 { authorization } else { nil } }
  }

  func lastFix(_ location: SourceLocation = #_sourceLocation) throws -> LastFix {
    try self.part(location) { if case .lastFix(let last) = $0 { last } else { nil } }
  }

  func status(_ location: SourceLocation = #_sourceLocation) throws -> DaemonStatus {
    try self.part(location) { if case .status(let status) = $0 { status } else { nil } }
  }

  func failure(_ location: SourceLocation = #_sourceLocation) throws -> CallFailure {
    try self.part(location) { if case .failed(let failure) = $0 { failure } else { nil } }
  }

  private func part<Part>(_ location: SourceLocation, _ part: (Answer) -> Part?) throws -> Part {
    let part = self.flatMap(part)
    return try #require(part, "the answer is \(self.words)", sourceLocation: location)
  }

  private var words: String { self.map { "\($0)" } ?? "none" }
}

extension Answer? {
  /// Why a call failed.
  enum Denial {
    case restricted, denied, notDetermined, switchedOff, accuracyLimited, invalid
  }

  /// Expects that the call failed for this reason.
  func expect(_ denial: Denial, _ location: SourceLocation = #_sourceLocation) {
    let isExpected =
      switch (denial, self) {
      case (.restricted, .failed(.restricted)?), (.denied, .failed(.denied)?),
        (.notDetermined, .failed(.notDetermined)?), (.switchedOff, .failed(.switchedOff)?),
        (.accuracyLimited, .failed(.accuracyLimited)?), (.invalid, .failed(.invalid)?):
        true
      default: false
      }
    #expect(isExpected, "\(denial) is expected; the answer is \(self.words)", sourceLocation: location)
  }
}
