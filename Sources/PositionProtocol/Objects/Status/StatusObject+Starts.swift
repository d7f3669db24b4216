public import JSONRPC

extension StatusObject {
  /// How often the receiver was started since the daemon was.
  public struct Starts: WireObject, Hashable {
    /// In all.
    public var total: Int

    public init(total: Int) {
      self.total = total
    }

    public static let wire = ObjectCodec<Starts>(blank: Starts(total: 0)) {
      Field.required("total", \.total, .integer(minimum: 0), example: 3, "In all.")
    }
  }
}
