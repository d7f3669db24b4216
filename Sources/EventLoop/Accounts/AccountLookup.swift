import Glibc

/// The result of looking up a user or group, which may involve a directory server.
package enum AccountLookup<Value: Hashable & Sendable>: Hashable, Sendable {
  case found(Value)
  /// There is none.
  case absent
  /// The lookup failed; a later one may succeed.
  case unknown(SystemError)

  /// Calls with a growing buffer for the answer.
  ///
  /// - Parameters:
  ///   - call: The attempted operation, for the error.
  ///   - get: A function like getpwnam_r(3): returns the error's number, or 0 and whether an entry was found.
  ///   - value: Extracts the result from the answer, whose buffer is valid only during this call.
  init<Entry>(
    _ call: @autoclosure () -> String, into entry: consuming Entry,
    get: (inout Entry, inout [CChar], inout UnsafeMutablePointer<Entry>?) -> Int32, value: (Entry) -> Value
  ) {
    var room = [CChar](repeating: 0, count: 4096)
    while true {
      var found: UnsafeMutablePointer<Entry>?
      let code = unsafe get(&entry, &room, &found)
      if code == ERANGE, room.count < 1 << 22 {
        room = [CChar](repeating: 0, count: room.count * 4)
        continue
      }
      if code != 0 {
        self = .unknown(SystemError(code: code, call: call()))
      } else if unsafe found == nil {
        self = .absent
      } else {
        self = .found(value(entry))
      }
      return
    }
  }
}

extension AccountLookup {
  /// The same with another type of value.
  package func map<Other>(_ transform: (Value) -> Other) -> AccountLookup<Other> {
    switch self {
    case .found(let value): .found(transform(value))
    case .absent: .absent
    case .unknown(let error): .unknown(error)
    }
  }
}
