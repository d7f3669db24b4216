import JSONRPC
import PositionProtocol

/// The handlers of all methods, by the type of the request.
///
/// Asking the runtime whether a type conforms to a protocol takes longer than a lookup by its identity, and each request
/// would ask.
struct RequestHandlers {
  private let types: [ObjectIdentifier: any RequestHandler.Type]

  init() {
    self.types = Dictionary(
      uniqueKeysWithValues: PositionMethods.server.requests.map { request in
        guard let handler = request as? any RequestHandler.Type else {
          preconditionFailure("\(request.method) is registered and nobody serves it")
        }
        return (ObjectIdentifier(request), handler)
      })
  }

  /// - Precondition: The request was read with the server's registry.
  func handler(of request: any RequestType) -> any RequestHandler {
    guard let type = self.types[ObjectIdentifier(type(of: request))] else {
      preconditionFailure("\(type(of: request).method) is not registered")
    }
    return type.handler(of: request)
  }
}

extension RequestHandler {
  /// - Precondition: The request is of this type.
  fileprivate static func handler(of request: any RequestType) -> any RequestHandler {
    // Casting with `as?` would have the runtime look up the optional type for each request.
    switch request {
    case let request as Self: return request
    default: preconditionFailure("a request was found by another type than its own")
    }
  }
}
