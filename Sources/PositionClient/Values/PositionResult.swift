public import PositionProtocol
public import Positioning

/// What `PositionClient.position` came to: the best that could be had, and how well it serves.
public struct PositionResult: Hashable, Sendable {
  /// Whether an acceptable fix came in time.
  public enum Status: Hashable, Sendable {
    case success
    /// Nothing acceptable came in time; `fix` is the best of what is young enough.
    case timedOut
  }

  public var status: Status
  /// Whether the fix has the accuracy that was asked for, not only what would be accepted.
  public var isSatisfied: Bool
  /// Absent only where nothing young enough is known.
  public var fix: Fix?
  /// The finest level that the fix reaches.
  public var achievedAccuracy: AccuracyLevel?
  /// Whether the fix was there before the request.
  public var isFromCache: Bool
  /// How long the daemon took.
  public var elapsed: Duration
  /// What stands between the client and a better answer.
  public var diagnostics: DiagnosticsObject

  init(_ result: PositionGetRequest.Result) {
    switch result.status {
    case .success: self.status = .success
    case .timedOut: self.status = .timedOut
    }
    self.isSatisfied = result.isSatisfied
    self.fix = result.fix?.fix
    self.achievedAccuracy = result.achievedAccuracy
    self.isFromCache = result.isFromCache
    self.elapsed = .seconds(result.elapsed)
    self.diagnostics = result.diagnostics
  }
}
