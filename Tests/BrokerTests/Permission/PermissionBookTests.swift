import Positioning
import TestSupport
import Testing

@testable import Broker

/// Decisions, and a store that takes time.
@Suite struct PermissionBookTests {
  private static let yes = Decision(user: "ada", level: .always, at: at(1))
  private static let no = Decision(user: "ada", level: nil, at: at(2))
  private static let call = CallID(client: ClientID(1), serial: 1)
  private static let enabling = PermissionBook.Waiter.enabled(Asker(Self.call, By()), true)

  private static func numbers(_ steps: [PermissionBook.Step]) -> [UInt64] {
    steps.compactMap { if case .store(_, let number) = $0 { number } else { nil } }
  }

  @Test("A grant that is confirmed after it was revoked gives nothing")
  func staleGrant() {
    var book = PermissionBook(fallback: .ask)
    let granted = Self.numbers(book.decide(Self.yes, for: 1, nil, now: at(1)))
    #expect(book.decision(for: 1) == nil)
    let revoked = Self.numbers(book.decide(nil, for: 1, nil, now: at(2)))
    for number in granted + revoked {
      _ = book.confirmed(number, error: nil)
      #expect(book.decision(for: 1) == nil)
    }
  }

  @Test("A switch that is confirmed as on after it was turned off stays off")
  func staleSwitch() {
    var book = PermissionBook(isOn: false, fallback: .ask)
    let on = Self.numbers(book.turn(on: true, nil, now: at(1)))
    let off = Self.numbers(book.turn(on: false, nil, now: at(2)))
    for number in on + off {
      _ = book.confirmed(number, error: nil)
      #expect(!book.isSwitchedOn)
    }
  }

  @Test("A withdrawal counts at once while the store has an error, and is answered as not stored")
  func withoutStore() {
    var book = PermissionBook(decisions: [1: Self.yes], fallback: .allow)
    _ = book.storeChanged(error: "full")
    let info = Grant(uid: 1, decision: Self.no)
    let steps = book.decide(Self.no, for: 1, .grant(Asker(Self.call, By()), info), now: at(2))
    #expect(steps.contains(.settled(.grant(Asker(Self.call, By()), info), .counts)))
    #expect(book.decision(for: 1) == Self.no && book.grants.map(\.isStored) == [false])
    // The store refuses it; once the store works again it is stored again.
    _ = book.confirmed(Self.numbers(steps)[0], error: "full")
    #expect(book.decision(for: 1) == Self.no)
    let again = book.storeChanged(error: nil)
    #expect(
      again.count == 1 && again.contains { if case .store(.putDecision(1, Self.no), _) = $0 { true } else { false } })
    _ = book.confirmed(Self.numbers(again)[0], error: nil)
    #expect(book.grants.map(\.isStored) == [true])
  }

  @Test("A grant while the store has an error is refused, and nothing waits")
  func givenWithoutStore() {
    var book = PermissionBook(isOn: false, fallback: .ask)
    _ = book.storeChanged(error: "full")
    #expect(book.turn(on: true, Self.enabling, now: at(1)) == [.settled(Self.enabling, .refused("full"))])
    let info = Grant(uid: 1, decision: Self.yes)
    let waiter = PermissionBook.Waiter.grant(Asker(Self.call, By()), info)
    #expect(book.decide(Self.yes, for: 1, waiter, now: at(1)) == [.settled(waiter, .refused("full"))])
    #expect(book.nextDeadline == nil)
  }

  @Test("A grant that is not stored in time is taken back, on the disk too", arguments: [false, true])
  func takenBack(isStoreFailing: Bool) {
    var book = PermissionBook(isOn: false, fallback: .ask)
    let given = Self.numbers(book.turn(on: true, Self.enabling, now: at(1)))
    #expect(book.nextDeadline == at(6))
    let steps = isStoreFailing ? book.storeChanged(error: "broken") : book.deadlineReached(now: at(6))
    let reason = isStoreFailing ? "broken" : "the disk takes longer than 5 s"
    #expect(steps.first == .settled(Self.enabling, .refused(reason)))
    #expect(steps.contains { if case .store(.putEnabled(false, _), _) = $0 { true } else { false } })
    // The disk stores it late, and then its correction.
    for number in given + Self.numbers(steps) {
      #expect(book.confirmed(number, error: nil).isEmpty)
      #expect(!book.isSwitchedOn)
    }
  }

  @Test("The withdrawing part of a mixed grant counts at once")
  func mixed() {
    var book = PermissionBook(
      decisions: [1: Decision(user: "ada", level: .always, precision: .reduced, at: at(0))], fallback: .ask)
    let new = Decision(user: "ada", level: .whenInUse, precision: .precise, at: at(1))
    let steps = book.decide(new, for: 1, nil, now: at(1))
    #expect(book.decision(for: 1) == Decision(user: "ada", level: .whenInUse, precision: .reduced, at: at(1)))
    _ = book.confirmed(Self.numbers(steps)[0], error: nil)
    #expect(book.decision(for: 1) == new)
  }

  @Test("With default=allow, removing a denial counts once it is stored, and a smaller grant at once")
  func fallback() {
    var book = PermissionBook(decisions: [1: Self.no], fallback: .allow)
    let revoked = book.decide(nil, for: 1, nil, now: at(3))
    #expect(book.decision(for: 1) == Self.no)
    _ = book.confirmed(Self.numbers(revoked)[0], error: nil)
    #expect(book.decision(for: 1) == nil)
    let less = Decision(user: "ada", level: .whenInUse, at: at(4))
    _ = book.decide(less, for: 1, nil, now: at(4))
    #expect(book.decision(for: 1) == less)
  }

  @Test("A person's answer that waits is superseded by an administrator's decision")
  func overtaken() {
    var book = PermissionBook(fallback: .ask)
    let waiter = PermissionBook.Waiter.prompt(1, Self.yes)
    let asked = book.decide(Self.yes, for: 1, waiter, now: at(1))
    #expect(book.decide(Self.no, for: 1, nil, now: at(2)).contains(.settled(waiter, .overtaken)))
    _ = book.confirmed(Self.numbers(asked)[0], error: nil)
    #expect(book.decision(for: 1) == Self.no)
  }

  @Test("With unreadable decisions the switch is off, until an administrator turns it on, stored or not")
  func unread() {
    var book = PermissionBook(unread: "the disk is broken", fallback: .allow)
    #expect(!book.isSwitchedOn && book.unread == "the disk is broken")
    _ = book.storeChanged(error: "the disk is broken")
    #expect(
      book.turn(on: true, Self.enabling, now: at(1)) == [.changed(.masterSwitch), .settled(Self.enabling, .counts)])
    #expect(book.isSwitchedOn && book.unread == nil)
  }
}
