public import JSONRPC
public import Positioning

extension Authorization: WireObject {
  public static let wire = ObjectCodec<Authorization>(
    "Authorization", blank: Authorization(state: .fallback, precision: .fallback)
  ) {
    Field.required(
      "state", \.state, State.codec, example: "whenInUse",
      "Whether, and when, the client may know the position.")
    Field.required("precision", \.precision, Precision.codec, example: "precise", "How precisely it may know it.")
    Field.optional("rule", \.rule, .string, example: "family", "The rule that decided.")
    Field.optional(
      "remedy", \.remedy, .string, example: "adduser ada position, and a new login",
      "Where the answer is no, or less than everything: who can change that, and how.")
  }
}

extension AuthorizationRequest: WireObject {
  public static let wire = ObjectCodec<AuthorizationRequest>(blank: AuthorizationRequest()) {
    Field.defaulted(
      "level", \.level, AuthorizationLevel.codec, example: "always",
      "While connected, or also for what outlives the connection.")
    Field.defaulted(
      "precision", \.precision, Precision.codec, example: "reduced",
      "How precisely the client wants to know the position.")
    Field.defaulted(
      "force", \.isForced, .boolean, example: true,
      "Whether to ask again after a person's no; a rule is never asked past.")
  }
}
