public import JSONRPC
public import Positioning

extension Principal: WireObject {
  public static let wire = ObjectCodec<Principal>("Principal", blank: Principal(uid: 0)) {
    Field.required("uid", \.uid, .integer(minimum: 0), example: 1000, "The user's number.")
    Field.optional("user", \.user, .string, example: "ada", "The user's name, if the system has one.")
    Field.required(
      "groups", \.groups, .array(of: .integer(minimum: 0)), example: [1000, 27],
      "The numbers of the groups, the primary one first.")
    Field.optional(
      "pid", \.pid, .integer(minimum: 0), example: 4242,
      "The process that connected; a durable name has none.")
    Field.optional(
      "unit", \.writtenUnit, .string, example: "tracker.service", "The systemd unit, if it is certain.")
    Field.optional(
      "name", \.name, .string(maximumBytes: 64), example: "tracker",
      "The program's own name for itself, or the durable name.")
    Field.optional(
      "purpose", \.purpose, .string(maximumBytes: 256), example: "Shows the boat on the chart",
      "What the program claims to need positions for.")
    Field.optional(
      "relay", \.relay, .integer(minimum: 0), example: 998,
      "The user of the client that speaks for this one, if one does; \"pid\" is then that client's.")
    Field.optional(
      "subordinate", \.subordinate, .integer(minimum: 0), example: 165_536,
      "The process's own number, if that is a subordinate one of the user.")
  }

  fileprivate var writtenUnit: String? {
    get { self.unit.name }
    set { self.unit = newValue.map { .named($0) } ?? .none }
  }
}
