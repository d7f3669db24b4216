public import JSONRPC
public import Positioning

/// The daemon always says the state.
extension HeadingUpdate: WireObject {
  public static let wire = ObjectCodec<HeadingUpdate>(blank: HeadingUpdate(state: .fallback)) {
    Field.required(
      "state", \.knownState, HeadingState.codec, example: "valid", "Whether it is known where the device points.")
    Field.optional(
      "heading", \.heading, Heading.codec, example: Heading.example,
      "The heading; absent unless the state is valid.")
    Field.flag("repeat", \.isRepeat, "True where it is a heartbeat and comes because nothing else did, else absent.")
    Field.count(
      "dropped", \.dropped, example: 2,
      "How many headings were passed over since the last delivery, because the client did not read in time.")
  }

  fileprivate var knownState: HeadingState {
    get { self.state ?? .fallback }
    set { self.state = newValue }
  }
}
