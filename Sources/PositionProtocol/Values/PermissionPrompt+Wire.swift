public import JSONRPC
public import Positioning

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
