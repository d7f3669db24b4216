public import JSONRPC
public import Positioning

/// Returns the satellites that the receiver saw last.
public struct SkyGetRequest: RequestType, WireObject, Hashable {
  public static let method = "sky.get"
  public static let summary = "Returns the satellites that the receiver saw last."
  public static let errors: [RPCError.Code] = .permission + [.accuracyLimited]
  public static let usual: Set<String> = ["satellites", "hdop", "age"]

  public init() {}

  public static let wire = ObjectCodec<SkyGetRequest>(blank: SkyGetRequest()) {}

  /// The satellites; absent if the receiver has reported none.
  public struct Result: WireValue, Hashable {
    public var sky: Sky?

    public init(_ sky: Sky?) { self.sky = sky }

    public static let codec: Codec<Result> = Codec(
      Sky.wire.schema,
      write: { result, writer in
        guard let sky = result.sky else { return writer.raw("{}".utf8.span) }
        Sky.wire.write(sky, &writer)
      },
      read: { (view: JSONView, context: ReadingContext) throws(CodingFailure) -> Result in
        let sky = try Sky.wire.read(view, context)
        return Result(view["satellites"] == nil ? nil : sky)
      })
  }

  public static var resultCodec: Codec<Result> { Result.codec }
  public static let result = ResultDescription(
    "sky", Sky.wire.schema, "The satellites; empty if the receiver has reported none.")
}
