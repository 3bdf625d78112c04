import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal

extension PlistCommand {
  /// `mpaas plist diff FILE OTHER`: what two property lists say differently, whatever their formats.
  struct Diff: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("diff", key: "plist.diff") }

    @Argument(help: .text("command.plist.file"), completion: .file())
    var file: String

    @Argument(help: .text("command.plist.diff.other"), completion: .file())
    var other: String

    @OptionGroup var reading: PlistReadOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ComparedPlists {
      let old = try reading.file(file, in: context)
      let new = try reading.file(other, in: context)
      let comparison = PropertyListComparison(from: old.root, to: new.root)
      return ComparedPlists(differences: comparison.differences.map { PlistDifference($0) })
    }
  }
}

/// The differences between two property lists.
struct ComparedPlists: Presentable {
  let same: Bool
  let differences: [PlistDifference]

  init(differences: [PlistDifference]) {
    same = differences.isEmpty
    self.differences = differences
  }

  var exit: ExitStatus { same ? .done : .negative }

  func document(_ catalogue: Catalogue) -> Document {
    Document(lines: differences.flatMap { $0.lines(catalogue) })
  }
}
