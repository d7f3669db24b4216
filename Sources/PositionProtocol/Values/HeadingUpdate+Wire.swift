public import JSONRPC
public import Positioning

/// The daemon always sends the state.
extension HeadingUpdate: WireObject {
  public static let wire = ObjectCodec<HeadingUpdate>(blank: HeadingUpdate(state: .fallback)) {
    Field.required(
      "state", \.knownState, HeadingState.codec, example: "valid", "Whether the heading is known.")
    Field.optional(
      "heading", \.heading, Heading.codec, example: Heading.example,
      "The heading; absent unless the state is valid.")
    Field.flag(
      "repeat", \.isRepeat, "True for a heartbeat, which repeats the last value because nothing new came; else absent.")
    Field.count(
      "dropped", \.dropped, example: 2,
      "How many headings were dropped since the last delivery because the client did not read in time.")
  }

  fileprivate var knownState: HeadingState {
    get { self.state ?? .fallback }
    set { self.state = newValue }
  }
}
