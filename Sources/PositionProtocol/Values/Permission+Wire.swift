public import JSONRPC
public import Positioning

extension Authorization: WireObject {
  public static let wire = ObjectCodec<Authorization>(
    "Authorization", blank: Authorization(state: .fallback, precision: .fallback)
  ) {
    Field.required(
      "state", \.state, State.codec, example: "whenInUse",
      "Whether, and when, the client may know the position.")
    Field.required(
      "precision", \.precision, Precision.codec, example: "precise", "How precisely the client may know the position.")
    Field.optional("rule", \.rule, .string, example: "family", "The rule that decided.")
    Field.optional(
      "remedy", \.remedy, .string, example: "adduser ada position, and a new login",
      "Who can grant more, and how; absent if everything is granted.")
  }
}

extension AuthorizationRequest: WireObject {
  public static let wire = ObjectCodec<AuthorizationRequest>(blank: AuthorizationRequest()) {
    Field.defaulted(
      "level", \.level, AuthorizationLevel.codec, example: "always",
      "While connected, or also for durable registrations.")
    Field.defaulted(
      "precision", \.precision, Precision.codec, example: "reduced",
      "The requested precision: precise, or reduced to a few kilometres.")
    Field.defaulted(
      "force", \.isForced, .boolean, example: true,
      "Asks again after a person answered no; a rule cannot be overridden.")
  }
}

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

extension ClientInfo: WireObject {
  public static let wire = ObjectCodec<ClientInfo>(
    "Client",
    blank: ClientInfo(
      principal: Principal.wire.blank, authorization: Authorization.wire.blank, requests: 0, subscriptions: 0,
      regions: 0)
  ) {
    Field.required("principal", \.principal, Principal.codec, example: Principal.example, "Who the client is.")
    Field.required(
      "authorization", \.authorization, Authorization.codec, example: Authorization.example, "What it may know.")
    Field.required("requests", \.requests, .integer(minimum: 0), example: 1, "The client's requests in flight.")
    Field.required("subscriptions", \.subscriptions, .integer(minimum: 0), example: 2, "The client's subscriptions.")
    Field.required(
      "regions", \.regions, .integer(minimum: 0), example: 3,
      "The client's regions that end with the connection.")
  }
}

extension Grant: WireObject {
  public static let wire = ObjectCodec<Grant>(
    "Grant", blank: Grant(uid: 0, decision: Decision(user: "", level: nil, at: .boot))
  ) {
    Field.required("uid", \.uid, .integer(minimum: 0), example: 1000, "The user's number.")
    Field.required(
      "user", \.writtenUser, .string, example: "ada",
      "The user's name at the time of the decision, which holds only for this number and name together.")
    Field.required("level", \.decision.level, .granted, example: "whenInUse", "The level that the programs have.")
    Field.optional(
      "precision", \.writtenPrecision, Precision.codec, example: "precise",
      "How precisely they may know the position; absent with deny.")
    Field.required("time", \.decision.at, .wallClock, example: "2026-01-31T12:00:00.000Z", "When it was decided.")
    Field.optional(
      "stored", \.writtenStored, .boolean, example: false,
      "False if it applies but is not stored yet because of an error: a restart may undo it until then; else absent.")
  }

  fileprivate var writtenUser: String {
    get { self.decision.user ?? "" }
    set { self.decision.user = newValue }
  }

  fileprivate var writtenPrecision: Precision? {
    get { self.decision.level == nil ? nil : self.decision.precision }
    set { self.decision.precision = newValue ?? .precise }
  }

  fileprivate var writtenStored: Bool? {
    get { self.isStored ? nil : false }
    set { self.isStored = newValue ?? true }
  }
}

extension Codec where Value == AuthorizationLevel? {
  /// The granted level; `nil` is `deny`. An enum value of a later version reads as `nil` too.
  static var granted: Codec {
    Codec<GrantedLevel>.word(fallback: .deny).map(to: { $0.level }, from: { GrantedLevel($0) })
  }
}

extension PermissionPrompt: WireObject {
  public static let wire = ObjectCodec<PermissionPrompt>(
    blank: PermissionPrompt(
      principal: Principal.wire.blank, level: .fallback, precision: .fallback, expiresIn: .zero)
  ) {
    Field.required(
      "principal", \.principal, Principal.codec, example: Principal.example,
      "The program that asks; its name and purpose are its own claims.")
    Field.required(
      "level", \.level, AuthorizationLevel.codec, example: "whenInUse",
      "The requested level: while connected, or also for durable registrations.")
    Field.required(
      "precision", \.precision, Precision.codec, example: "precise", "The requested precision.")
    Field.required("expiresIn", \.expiresIn, .seconds(), example: 60, "Seconds within which an answer is accepted.")
  }
}

extension PromptAnswer: WireObject {
  public static let wire = ObjectCodec<PromptAnswer>(blank: PromptAnswer(isAllowed: false)) {
    Field.required("decision", \.isAllowed, Word.codec, example: "allow", "Yes or no.")
    Field.optional(
      "level", \.level, AuthorizationLevel.codec, example: "whenInUse",
      "The granted level, if it is less than requested.")
    Field.optional(
      "precision", \.precision, Precision.codec, example: "reduced",
      "The granted precision, if it is less than requested.")
    Field.defaulted(
      "remember", \.isRemembered, .boolean, example: false,
      "Whether the answer is stored; if not, it holds only for the waiting connections.")
  }

  /// Yes and no on the wire. Any other word is an error, never one of the two.
  private enum Word: String, CaseIterable {
    case allow, deny

    static let codec = Codec<Word>.word.map(to: { $0 == .allow }, from: { $0 ? .allow : .deny })
  }
}
