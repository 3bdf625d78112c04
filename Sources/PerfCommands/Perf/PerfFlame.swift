import ArgumentParser
import CommandKit
import MPaaSProfile
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

extension PerfCommand {
  /// `mpaas perf flame FILE --output F.svg|html`: a flame graph that stands alone.
  struct Flame: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("flame", key: "perf.flame") }

    @Argument(help: .text("command.perf.file", valueName: "file"), completion: .file())
    var file: String

    @Option(
      name: [.short, .long], help: .text("command.perf.flame.output", valueName: "file"),
      completion: .file(extensions: ["svg", "html"]))
    var output: String

    @Flag(name: .long, help: .text("command.perf.flame.bottom-up"))
    var bottomUp = false

    @Flag(name: .long, help: .text("command.perf.show.by-thread"))
    var byThread = false

    @Option(name: .long, help: .text("command.perf.flame.title", valueName: "text"))
    var title: String?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> WrittenProfile {
      let profile = try profile.reading(file)
      let tree = CallTree(profile, bottomUp ? .bottomUp : .topDown, byThread: byThread, depth: 64)
      let unit = profile.type.unit
      let catalogue = context.catalogue
      let total = WeightText.text(tree.total, unit)
      let picture = FlameGraph.picture(
        tree, title: title ?? profile.name,
        subtitle: catalogue.text(
          "text.perf-headline",
          [
            "total": total, "type": profile.type.name, "samples": "\(profile.sampleCount)",
            "threads": "\(profile.threads.count)",
          ]),
        words: FlamePicture.Words(catalogue)
      ) { weight, _ in "\(WeightText.text(weight, unit)), \(WeightText.share(weight, of: tree.total))" }
      let isPage = output.hasSuffix(".html") || output.hasSuffix(".htm")
      try Bytes(Array((isPage ? picture.html : picture.svg).utf8)).write(to: output)
      return WrittenProfile(
        file: output, format: isPage ? "html" : "svg", samples: profile.sampleCount, total: tree.total)
    }
  }
}

/// The file that a profile went to.
struct WrittenProfile: Presentable {
  let file: String
  let format: String
  let samples: Int
  let total: Int64

  private enum CodingKeys: String, CodingKey { case file, format, samples, total }

  func document(_ catalogue: Catalogue) -> Document { [.line(StyledText(file, .path))] }
}
