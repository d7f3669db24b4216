public import JSONRPC
public import Positioning

extension PermissionPrompt: WireObject {
  public static let wire = ObjectCodec<PermissionPrompt>(
    blank: PermissionPrompt(
      principal: Principal.wire.blank, level: .fallback, precision: .fallback, expiresIn: .zero)
  ) {
    Field.required(
      "principal", \.principal, Principal.codec, example: Principal.example,
      "Who asks; its name and purpose are what the program says of itself.")
    Field.required(
      "level", \.level, AuthorizationLevel.codec, example: "whenInUse",
      "What it asks for: while connected, or also for what outlives the connection.")
    Field.required(
      "precision", \.precision, Precision.codec, example: "precise", "How precisely it wants to know the position.")
    Field.required("expiresIn", \.expiresIn, .seconds(), example: 60, "Seconds that an answer counts.")
  }
}

extension PromptAnswer: WireObject {
  public static let wire = ObjectCodec<PromptAnswer>(blank: PromptAnswer(isAllowed: false)) {
    Field.required("decision", \.isAllowed, Word.codec, example: "allow", "Yes or no.")
    Field.optional(
      "level", \.level, AuthorizationLevel.codec, example: "whenInUse",
      "What is allowed, where that is less than was asked for.")
    Field.optional(
      "precision", \.precision, Precision.codec, example: "reduced",
      "How precisely, where that is less than was asked for.")
    Field.defaulted(
      "remember", \.isRemembered, .boolean, example: false,
      "Whether it holds for later too; else for the connections that waited for it.")
  }

  /// Yes and no on the wire. Any other word is an error: it is never taken for one of them.
  private enum Word: String, CaseIterable {
    case allow, deny

    static let codec = Codec<Word>.word.map(to: { $0 == .allow }, from: { $0 ? .allow : .deny })
  }
}
