import ProgramArguments
import TestSupport
import Testing

@testable import ReceiverSimulator

/// The manual page of positionsim, made from what its commands say of themselves.
@Suite struct ManualPageTests {
  private static let descriptions = [
    SimulatorCommand.receiveDescription, SimulatorCommand.replayDescription, SimulatorCommand.sandboxDescription,
  ]

  @Test func `it has every command with its options`() throws {
    #expect(try WrittenDocument("man/positionsim.1").isCurrent(Self.page), "\(WrittenDocument.advice)")
  }

  private static var page: String {
    let head = [
      #".\" Written by `make documents`."#, #".TH POSITIONSIM 1 "" positiond "User commands""#, ".SH NAME",
      #"positionsim \- a simulated GNSS receiver"#, ".SH SYNOPSIS",
    ]
    let forms = self.descriptions.flatMap { description in
      let operands = description.operands.map(\.name).joined(separator: " ")
      return [".br", ".B \(description.line)", #".RI [ OPTION ...] " \#(operands)""#]
    }
    let tail = [".SH SEE ALSO", ".BR positiond (8),", ".BR positionctl (1),", ".BR gpsd (8)"]
    let sections = self.descriptions.flatMap { self.section($0) }
    return (head + forms.dropFirst() + sections + tail).joined(separator: "\n") + "\n"
  }

  private static func section(_ description: CommandDescription) -> [String] {
    let title = description.name.isEmpty ? ".SH DESCRIPTION" : ".SH COMMAND \(description.name)"
    let paragraphs = description.explanation.flatMap { [".PP"] + ManualText.paragraph($0) }.dropFirst()
    let options = description.allOptions.flatMap { option in
      [".TP", ".B \(ManualText.escaped(option.form))"]
        + ManualText.paragraph("\(option.help).")
    }
    let examples = description.examples.flatMap { example in
      [".PP"] + ManualText.paragraph("\(ManualText.sentence(example.value))") + [".RS", ".nf"]
        + [ManualText.escaped(example.key), ".fi", ".RE"]
    }
    return [title] + paragraphs + options + examples
  }
}
