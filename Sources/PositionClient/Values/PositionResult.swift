public import PositionProtocol
public import Positioning

/// What `PositionClient.position` came to: the best that could be had, and how well it serves.
public struct PositionResult: Hashable, Sendable {
  /// How a request ended.
  public enum Status: Hashable, Sendable {
    /// An acceptable fix came.
    case success
    /// Nothing acceptable came in time; `fix` is the best of what is young enough.
    case timedOut
  }

  /// Whether an acceptable fix came in time.
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

  /// A result as a test of a program may want one.
  public init(
    status: Status, isSatisfied: Bool, fix: Fix? = nil, achievedAccuracy: AccuracyLevel? = nil,
    isFromCache: Bool = false, elapsed: Duration = .zero, diagnostics: DiagnosticsObject
  ) {
    self.status = status
    self.isSatisfied = isSatisfied
    self.fix = fix
    self.achievedAccuracy = achievedAccuracy
    self.isFromCache = isFromCache
    self.elapsed = elapsed
    self.diagnostics = diagnostics
  }

  init(_ result: PositionGetRequest.Result) {
    switch result.status {
    case .success: self.status = .success
    case .timedOut: self.status = .timedOut
    }
    self.isSatisfied = result.isSatisfied
    self.fix = result.fix
    self.achievedAccuracy = result.achievedAccuracy
    self.isFromCache = result.isFromCache
    self.elapsed = .bounded(seconds: result.elapsed)
    self.diagnostics = result.diagnostics
  }
}
