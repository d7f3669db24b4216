import Positioning
import TestSupport
import Testing

@testable import Broker

/// Decisions, and a store that takes time.
@Suite struct PermissionsTests {
  private static let yes = Decision(user: "ada", level: .always, at: at(1))
  private static let no = Decision(user: "ada", level: nil, at: at(2))
  private static let call = CallID(client: ClientID(1), serial: 1)
  private static let enabling = Permissions.Waiter.enabled(Asker(Self.call, By()), true)

  private static func pending(_ effects: [Permissions.Effect]) -> [PendingDecision] {
    effects.compactMap { if case .store(_, let pending) = $0 { pending } else { nil } }
  }

  @Test("A grant that is confirmed after it was revoked gives nothing")
  func staleGrant() {
    var permissions = Permissions(fallback: .ask)
    let granted = Self.pending(permissions.decide(Self.yes, for: 1, nil))
    #expect(permissions.decision(for: 1) == nil)
    let revoked = Self.pending(permissions.decide(nil, for: 1, nil))
    for pending in granted + revoked {
      _ = permissions.confirmed(pending, error: nil)
      #expect(permissions.decision(for: 1) == nil)
    }
  }

  @Test("A switch that is confirmed as on after it was turned off stays off")
  func staleSwitch() {
    var permissions = Permissions(isOn: false, fallback: .ask)
    let on = Self.pending(permissions.turn(on: true, nil))
    let off = Self.pending(permissions.turn(on: false, nil))
    for pending in on + off {
      _ = permissions.confirmed(pending, error: nil)
      #expect(!permissions.isSwitchedOn)
    }
  }

  @Test("A withdrawal counts at once while the store has an error, and is answered as not stored")
  func withoutStore() {
    var permissions = Permissions(decisions: [1: Self.yes], fallback: .allow)
    _ = permissions.storeChanged(error: "full", awaited: [])
    let info = Grant(uid: 1, decision: Self.no)
    let effects = permissions.decide(Self.no, for: 1, .grant(Asker(Self.call, By()), info))
    #expect(effects.contains(.settled(.grant(Asker(Self.call, By()), info), .counts)))
    #expect(permissions.decision(for: 1) == Self.no && permissions.grants.map(\.isStored) == [false])
    // The store refuses it; once the store works again it is stored again.
    _ = permissions.confirmed(Self.pending(effects)[0], error: "full")
    #expect(permissions.decision(for: 1) == Self.no)
    let again = permissions.storeChanged(error: nil, awaited: [])
    #expect(
      again.count == 1 && again.contains { if case .store(.putDecision(1, Self.no), _) = $0 { true } else { false } })
    _ = permissions.confirmed(Self.pending(again)[0], error: nil)
    #expect(permissions.grants.map(\.isStored) == [true])
  }

  @Test("A grant while the store has an error is refused, and nothing waits")
  func givenWithoutStore() {
    var permissions = Permissions(isOn: false, fallback: .ask)
    _ = permissions.storeChanged(error: "full", awaited: [])
    #expect(permissions.turn(on: true, Self.enabling) == [.settled(Self.enabling, .refused("full"))])
    let info = Grant(uid: 1, decision: Self.yes)
    let waiter = Permissions.Waiter.grant(Asker(Self.call, By()), info)
    #expect(
      permissions.decide(Self.yes, for: 1, waiter) == [.overtaken(1, before: 1), .settled(waiter, .refused("full"))])
  }

  @Test("A grant that is not stored in time is taken back, on the disk too", arguments: [false, true])
  func takenBack(isStoreFailing: Bool) {
    var permissions = Permissions(isOn: false, fallback: .ask)
    let given = Self.pending(permissions.turn(on: true, Self.enabling))
    let effects = isStoreFailing ? permissions.storeChanged(error: "broken", awaited: given) : permissions.giveUp(given)
    let reason = isStoreFailing ? "broken" : "the disk takes longer than 5 s"
    #expect(effects.first == .settled(Self.enabling, .refused(reason)))
    #expect(effects.contains { if case .store(.putEnabled(false, _), _) = $0 { true } else { false } })
    // The disk stores it late, and then its correction.
    for pending in given + Self.pending(effects) {
      let unawaited = PendingDecision(subject: pending.subject, number: pending.number)
      #expect(permissions.confirmed(unawaited, error: nil).isEmpty)
      #expect(!permissions.isSwitchedOn)
    }
  }

  @Test("The withdrawing part of a mixed grant counts at once")
  func mixed() {
    var permissions = Permissions(
      decisions: [1: Decision(user: "ada", level: .always, precision: .reduced, at: at(0))], fallback: .ask)
    let new = Decision(user: "ada", level: .whenInUse, precision: .precise, at: at(1))
    let effects = permissions.decide(new, for: 1, nil)
    #expect(permissions.decision(for: 1) == Decision(user: "ada", level: .whenInUse, precision: .reduced, at: at(1)))
    _ = permissions.confirmed(Self.pending(effects)[0], error: nil)
    #expect(permissions.decision(for: 1) == new)
  }

  @Test("With default=allow, removing a denial counts once it is stored, and a smaller grant at once")
  func fallback() {
    var permissions = Permissions(decisions: [1: Self.no], fallback: .allow)
    let revoked = permissions.decide(nil, for: 1, nil)
    #expect(permissions.decision(for: 1) == Self.no)
    _ = permissions.confirmed(Self.pending(revoked)[0], error: nil)
    #expect(permissions.decision(for: 1) == nil)
    let less = Decision(user: "ada", level: .whenInUse, at: at(4))
    _ = permissions.decide(less, for: 1, nil)
    #expect(permissions.decision(for: 1) == less)
  }

  @Test("A person's answer that waits is superseded by an administrator's decision")
  func overtaken() {
    var permissions = Permissions(fallback: .ask)
    let waiter = Permissions.Waiter.prompt(1, Self.yes)
    let asked = Self.pending(permissions.decide(Self.yes, for: 1, waiter))
    #expect(
      permissions.decide(Self.no, for: 1, nil).contains(.overtaken(1, before: 2)) && asked.map(\.waiter) == [waiter])
    _ = permissions.confirmed(asked[0], error: nil)
    #expect(permissions.decision(for: 1) == Self.no)
  }

  @Test("With unreadable decisions the switch is off, until an administrator turns it on, stored or not")
  func unread() {
    var permissions = Permissions(unread: "the disk is broken", fallback: .allow)
    #expect(!permissions.isSwitchedOn && permissions.unread == "the disk is broken")
    _ = permissions.storeChanged(error: "the disk is broken", awaited: [])
    #expect(
      permissions.turn(on: true, Self.enabling) == [.changed(.masterSwitch), .settled(Self.enabling, .counts)])
    #expect(permissions.isSwitchedOn && permissions.unread == nil)
  }
}
