package import Broker
package import Positioning

/// Answers with the parts of their values.
extension Answer {
  package static func region(_ state: RegionState, warning: String?, isReduced: Bool = false) -> Answer {
    .region(RegionAnswer(state, warning: warning, isReduced: isReduced))
  }

  package static func regions(_ regions: [RegionInfo], omitted: Int = 0) -> Answer {
    .regions(RegionPage(regions, omitted: omitted))
  }

  package static func enabled(_ isOn: Bool, isStored: Bool = true, unread: String? = nil) -> Answer {
    .enabled(SwitchAnswer(isOn, isStored: isStored, unread: unread))
  }
}
