import ArgumentParser
import CommandKit
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTerminal

/// The process in which patches are tried: this program once more, with a hidden command.
struct HarnessChild: ConfiningCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("child", key: "hotpatch.child", shouldDisplay: false)
  }

  typealias Output = Answer

  @OptionGroup var common: CommonOptions

  func answer(in context: Context) throws -> Answer {
    Answer(report: try HarnessProcess.answer { buffer in try StandardInput.read(into: &buffer) })
  }

  /// The report, as the parent reads it.
  struct Answer: Presentable {
    let report: HarnessReport

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }
    func document(_ catalogue: Catalogue) -> Document { [] }
  }

  /// The command as a call names it.
  static let words = ["hotpatch", "child"]

  /// This program with this command.
  static var process: HarnessProcess { HarnessProcess(Executable.current(), words + ["--json"]) }
}
