public import JSONRPC

extension StatusObject {
  /// The connection to gpsd.
  public struct Gpsd: WireObject, Hashable {
    /// Where it stands.
    public var state: State
    /// What it does, in words, where there is something to say.
    public var detail: String?
    /// What gpsd says it is.
    public var version: String?
    /// How often the connection had to be made again since the daemon started.
    public var reconnects: Int?

    public init(state: State, detail: String? = nil, version: String? = nil, reconnects: Int? = nil) {
      self.state = state
      self.detail = detail
      self.version = version
      self.reconnects = reconnects
    }

    public static let wire = ObjectCodec<Gpsd>(blank: Gpsd(state: .fallback)) {
      Field.required("state", \.state, State.codec, example: "streaming", "Where it stands.")
      Field.optional(
        "detail", \.detail, .string, example: "connection refused",
        "What it does, in words, where there is something to say.")
      Field.optional("version", \.version, .string, example: "3.22", "What gpsd says it is.")
      Field.optional(
        "reconnects", \.reconnects, .integer(minimum: 0), example: 2,
        "How often the connection had to be made again since the daemon started.")
    }

    public enum State: String, Hashable, Sendable, CaseIterable {
      /// Not connected, because nobody needs the receiver.
      case idle
      /// Connecting, or waiting for gpsd to open the receiver.
      case opening
      case streaming
      /// gpsd has no device, or the device went silent.
      case receiverMissing
      /// gpsd serves as many clients as it can.
      case gpsdFull
      /// gpsd cannot be reached.
      case gpsdDown
      /// Not known to a client, because the daemon is a later one and has another word. No daemon tells it.
      case unknown

      /// What a daemon tells.
      public static let allCases: [State] = [.idle, .opening, .streaming, .receiverMissing, .gpsdFull, .gpsdDown]
    }
  }
}
