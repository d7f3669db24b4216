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
