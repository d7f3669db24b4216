import JSONRPC

/// The contents of the permission file: the rows of the database, each with the clock of its boot.
struct PermissionRecord: Record, Hashable {
  struct Body: Record, Hashable {
    var text: String
    var boot: String
    /// The time of the boot by the wall clock, ns since 1970.
    var epoch: Int64

    static let record = ObjectCodec<Body>(blank: Body(text: "", boot: "", epoch: 0)) {
      Field.required("boot", \.boot, .string)
      Field.required("epoch", \.epoch, .integer(minimum: nil))
      Field.required("text", \.text, .string)
    }
  }

  struct DecisionRow: Record, Hashable {
    var uid: UInt32
    var user: String
    var body: Body

    static let record = ObjectCodec<DecisionRow>(blank: DecisionRow(uid: 0, user: "", body: Body.record.blank)) {
      Field.required("body", \.body, Body.record.codec)
      Field.required("uid", \.uid, .integer())
      Field.required("user", \.user, .string)
    }
  }

  /// What was decided while the database took nothing, so that its rows say something else.
  struct Ahead: Record, Hashable {
    var hasSwitch = false
    /// The users whose decisions are in the file, or are removed.
    var users: [UInt32] = []

    static let record = ObjectCodec<Ahead>(blank: Ahead()) {
      Field.flag("switch", \.hasSwitch)
      Field.required("users", \.users, .array(of: .integer()))
    }
  }

  var version = 1
  var isOn = true
  /// Why the earlier decisions cannot be read, for people.
  var unread: String?
  var decisions: [DecisionRow] = []
  var fuzzer: Body?
  var ahead: Ahead?

  static let record = ObjectCodec<PermissionRecord>(blank: PermissionRecord()) {
    Field.optional("ahead", \.ahead, Ahead.record.codec)
    Field.required("decisions", \.decisions, .array(of: DecisionRow.record.codec))
    Field.optional("disguise", \.fuzzer, Body.record.codec)
    Field.required("isOn", \.isOn, .boolean)
    Field.optional("unread", \.unread, .string)
    Field.required("version", \.version, .integer)
  }
}
