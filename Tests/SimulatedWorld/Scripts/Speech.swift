/// How gpsd and its receivers speak. Without one each epoch is one whole line, with all that a receiver can say.
package struct Speech: Hashable, Sendable {
  /// What gpsd makes of an epoch.
  package enum Epochs: String, CaseIterable, Sendable {
    case whole
    /// A report without an altitude, and a second one with it.
    case divided
    /// Two reports, with the time in whole seconds and with one that is a fraction later.
    case twoTimes
  }

  /// What is wrong with one epoch in 40.
  package enum Flaw: String, CaseIterable, Sendable {
    /// Its altitude is lost on the way.
    case lostSentence
    /// The receiver does not say how accurate it is.
    case noAccuracy
    /// Its date is ten years ahead.
    case dateAhead
    /// It is of a simulation, and far away.
    case simulated
  }

  /// What else gpsd has.
  package enum Neighbor: String, CaseIterable, Sendable {
    /// A receiver that is as good, and sometimes better.
    case rival
    /// A receiver far away. The other one is configured, and gpsd reports both.
    case unwanted
    /// One of AIS.
    case ships
  }

  /// The parts of a sky that has several.
  package enum Skies: String, CaseIterable, Sendable {
    case partThenWhole
    case wholeThenPart
  }

  package var release = Release.all[0]
  package var epochs = Epochs.whole
  /// Whether lines come in pieces, and several together.
  package var isInPieces = false
  package var flaw: Flaw?
  package var neighbor: Neighbor?
  package var skies: Skies?
  /// Whether gpsd never closes a receiver, as with its option -n.
  package var keepsOpen = false

  package init() {}

  /// A release of gpsd, as far as its lines differ.
  package struct Release: Hashable, Sendable {
    package let name: String
    /// Of the protocol 3.
    package let minor: Int
    /// Further members of a TPV.
    package let members: String
    /// Whether a SKY counts its satellites.
    package let counts: Bool

    package static let all = [
      Release(name: "3.22", minor: 14, members: #""alt":473.0,"ept":0.005,"#, counts: false),
      Release(name: "3.23.1", minor: 14, members: #""ept":0.005,"magvar":3.9,"#, counts: true),
      Release(
        name: "3.24", minor: 14, members: #""leapseconds":18,"ept":0.005,"magtrack":1.0,"magvar":3.9,"#, counts: true),
      Release(
        name: "3.25", minor: 15, members: #""leapseconds":18,"ept":0.005,"magvar":3.9,"geoidSep":47.0,"#, counts: true),
      Release(
        name: "3.26.1", minor: 15, members: #""leapseconds":18,"ept":0.005,"geoidSep":47.0,"sep":11.0,"jam":12,"#,
        counts: true),
      Release(
        name: "3.27.5", minor: 15,
        members: #""leapseconds":18,"ept":0.005,"geoidSep":47.0,"sep":11.0,"jam":12,"antennaPower":"ON","#, counts: true
      ),
    ]
  }

  /// In words.
  var text: String {
    let rest = [
      self.flaw.map { "\($0)" }, self.neighbor.map { "\($0)" }, self.skies.map { "\($0)" },
      self.isInPieces ? "in pieces" : nil, self.keepsOpen ? "never closed" : nil,
    ].compactMap { $0 }
    return "gpsd \(self.release.name): " + (["\(self.epochs)"] + rest).joined(separator: ", ")
  }
}

/// What goes wrong with a receiver, its link, or gpsd's side of it.
package enum ReceiverFault: Hashable, Sendable {
  /// Its clock is an hour behind.
  case clockBack
  /// Its link brings everything later and later.
  case lagging
  /// It sends nothing.
  case silent
  /// It is unplugged, and comes back under another name.
  case renamed
  /// gpsd is started anew, and who connects meanwhile is never served.
  case mute
}
