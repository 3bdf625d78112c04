import ArgumentParser
import CommandKit
import MPaaSProfile
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

extension PerfCommand {
  /// `mpaas perf convert FILE --to FORMAT`: the same profile for another reader.
  struct Convert: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("convert", key: "perf.convert") }

    @Argument(help: .text("command.perf.file", valueName: "file"), completion: .file())
    var file: String

    @Option(name: .long, help: .text("command.perf.convert.to"))
    var to: ProfileOutput?

    @Option(name: [.short, .long], help: .text("command.perf.convert.output", valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let place = ResultPlace(output)
      guard let format = to ?? place.file.map(ProfileOutput.init(path:)) else {
        throw Diagnostic("profile-output-unknown", exit: .usage)
      }
      let profile = try profile.reading(file)
      let bytes = try format.bytes(profile)
      if let path = try place.write({ bytes }) {
        try results.put(
          WrittenProfile(file: path, format: format.rawValue, samples: profile.sampleCount, total: profile.total))
      } else if format.isBinary, context.terminal.output.isTerminal {
        throw Diagnostic("profile-output-binary", ["format": format.rawValue], exit: .usage)
      } else {
        bytes.withUnsafeBytes { results.put(bytes: $0) }
      }
      return .done
    }
  }
}
