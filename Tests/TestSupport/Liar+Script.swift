package import JSONRPC
import Synchronization

extension Liar {
  /// A daemon that answers every request with invalid data, and sends further messages after subscribing requests.
  ///
  /// - Parameters:
  ///   - server: The requests of clients.
  ///   - client: The messages of the daemon.
  ///   - then: The last step after a subscribing request.
  package static func script(
    seed: UInt64, _ manner: Misbehaviour, server: MethodRegistry, client: MethodRegistry,
    objects: [String: [FieldDescription]],
    then: @escaping @Sendable (_ method: String, _ params: JSONValue) -> [FakeDaemon.Step]
  ) -> FakeDaemon.Script {
    let liar = Mutex(Liar(seed: seed, manner, objects: objects))
    let others = ["agent.register", "authorization.get", "region.add", "durable.attach"]
    return { method, params in
      guard let request = server.request(method) else { return [.error(-32601, "none")] }
      return liar.withLock { liar in
        var steps = [FakeDaemon.Step.result(liar.answer(request, params))]
        guard method.hasSuffix(".subscribe") || others.contains(method) else { return steps }
        for _ in 0..<6 { steps.append(liar.notice(for: params, of: client)) }
        for request in client.requests {
          for id in 0..<3 { steps.append(.ask(id, request.method, liar.object(request.parameters))) }
        }
        return steps + then(method, params)
      }
    }
  }

  private mutating func answer(_ request: any RequestType.Type, _ params: JSONValue) -> JSONValue {
    guard case .object(var answer) = self.value(request.result.schema) else { return [:] }
    // The address of the notifications.
    if request.method.hasSuffix(".subscribe") { answer["subscription"] = 7 }
    if let name = params["name"], answer["durable"] != nil { answer["durable"] = name }
    return .object(answer)
  }

  private mutating func notice(for params: JSONValue, of client: MethodRegistry) -> FakeDaemon.Step {
    let all = client.notifications.filter { $0.method != "$/cancelRequest" }
    let notification = all[self.number(below: all.count)]
    // Closing and ending messages are rare, so that more is sent.
    let isLast = notification.method == "session.closing" || notification.method == "subscription.ended"
    if isLast, self.number(below: 4) > 0 { return .notify("moon.phase", [:]) }
    guard case .object(var members) = self.object(notification.parameters) else { return .close }
    if let name = params["name"] {
      members["durable"] = name
    } else {
      members["durable"] = nil
      if members["subscription"] != nil { members["subscription"] = 7 }
    }
    if notification.method == "region.event", let id = params["id"] { members["id"] = id }
    return .notify(notification.method, .object(members))
  }
}
