import ArgumentParser
import CommandKit
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTerminal

/// The process in which patches are tried: this program once more, with a hidden command.
struct HarnessChild: MPaaSCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("child", key: "hotpatch.child", shouldDisplay: false)
  }

  @OptionGroup var common: CommonOptions

  func run(in context: Context) throws -> Answer {
    Answer(report: try HarnessProcess.answer { buffer in try StandardInput.read(into: &buffer) })
  }

  /// The report, as the parent reads it.
  struct Answer: Presentable {
    let report: HarnessReport

    func encode(to encoder: any Encoder) throws { try report.encode(to: encoder) }
    func document(_ catalogue: Catalogue) -> Document { [] }
  }

  /// This program with this command.
  static var process: HarnessProcess { HarnessProcess(Executable.current(), ["hotpatch", "child", "--json"]) }
}
