public import JSONRPC

extension StatusObject {
  /// What became of the receiver's reports since the daemon started.
  public struct Reports: WireObject, Hashable {
    /// Reports of a position, or that there is none.
    public var received: Int
    /// Those that became a fix.
    public var fixes: Int
    /// Those that did not, counted by reason.
    public var rejected: [String: Int]

    public init(received: Int, fixes: Int, rejected: [String: Int]) {
      self.received = received
      self.fixes = fixes
      self.rejected = rejected
    }

    public static let wire = ObjectCodec<Reports>(blank: Reports(received: 0, fixes: 0, rejected: [:])) {
      Field.required(
        "received", \.received, .integer(minimum: 0), example: 120,
        "Reports of a position, or that there is none.")
      Field.required("fixes", \.fixes, .integer(minimum: 0), example: 110, "Those that became a fix.")
      Field.required(
        "rejected", \.rejected, .dictionary(of: .integer(minimum: 0)), example: ["duplicate": 10],
        "Those that did not, counted by reason.")
    }
  }
}
