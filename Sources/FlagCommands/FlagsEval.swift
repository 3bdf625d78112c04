import ArgumentParser
import CommandKit
import MPaaSFlags
import MPaaSSupport
import MPaaSTerminal

extension FlagsCommand {
  /// `mpaas flags eval`: the answers to cases, one a line.
  struct Eval: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("eval", key: "flags.eval") }

    @OptionGroup var source: FlagSourceOptions

    @Option(
      help: .text("command.flags.eval.cases", valueName: "file"), completion: .file(extensions: ["json", "jsonl"]))
    var cases: String

    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let snapshot = FlagSnapshot(try await source.state(in: context))
      let isJSON = context.terminal.settings.isJSON
      for question in try questions(in: context) {
        let line =
          switch question.kind {
          case .enabled:
            Self.line(question, snapshot.isEnabled(question.flag, for: question.context), isJSON, context.catalogue)
          case .variant: Self.line(question, snapshot.variant(question.flag, for: question.context), isJSON)
          }
        results.put(text: line + "\n")
      }
      return .done
    }

    private func questions(in context: Context) throws -> [FlagCase] {
      let data = try context.data(at: cases)
      let name = context.name(ofData: cases)
      return try withExtendedLifetime(data) {
        do throws(FlagError) {
          return try FlagCase.all(in: data.buffer)
        } catch {
          throw error.inFile(name)
        }
      }
    }

    private static func line(
      _ question: FlagCase, _ isOn: Bool, _ isJSON: Bool, _ catalogue: Catalogue
    ) -> String {
      if isJSON { return JSONValue.object(["result": .bool(isOn)]).line }
      return question.flag + "\t" + catalogue.text(isOn ? "text.flags-on" : "text.flags-off")
    }

    private static func line(_ question: FlagCase, _ variant: FlagVariant, _ isJSON: Bool) -> String {
      if isJSON { return JSONValue.object(["result": variant.json]).line }
      return [question.flag, variant.name, variant.payload?.value].compactMap(\.self).joined(separator: "\t")
    }
  }
}
