import ArgumentParser
import CommandKit
import LogCommands
import MPaaSAppServicesTools
import MPaaSLogUpload
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension FeedbackCommand {
  /// `mpaas feedback reply NUMBER TEXT`: the user sees it in the app.
  struct Reply: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("reply", key: "feedback.reply") }

    @Argument(help: .text("command.feedback.number", valueName: "number"), completion: .feedbackNumbers)
    var number: Int64

    @Argument(help: .text("command.feedback.reply.text", valueName: "text"))
    var text: String

    @Flag(help: .text("command.feedback.reply.close"))
    var close = false

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> FeedbackView {
      let words = text == "-" ? try Self.standardInput() : text
      guard !words.allSatisfy(\.isWhitespace) else {
        throw ValidationError(context.catalogue.text("text.feedback-reply-empty"))
      }
      let answer = FeedbackAnswer(
        id: UUID().uuidString.lowercased(), text: words, state: close ? .closed : .answered)
      return FeedbackView(entry: try await server.server(in: context).answer(number, answer))
    }

    /// The text of standard input, without the line end behind it.
    private static func standardInput() throws -> String {
      let bytes = try Bytes.reading("/dev/stdin", limit: 1 << 20)
      var text = bytes.text
      while text.last?.isNewline == true { text.removeLast() }
      return text
    }
  }

  /// `mpaas feedback close NUMBER…`.
  struct Close: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("close", key: "feedback.close") }

    @Argument(help: .text("command.feedback.close.numbers", valueName: "number"), completion: .feedbackNumbers)
    var numbers: [Int64]

    @Flag(help: .text("command.feedback.close.reopen"))
    var reopen = false

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> FeedbackList {
      let server = try server.server(in: context)
      var entries: [FeedbackEntry] = []
      for number in numbers {
        let answer = FeedbackAnswer(id: UUID().uuidString.lowercased(), state: reopen ? .open : .closed)
        entries.append(try await server.answer(number, answer))
      }
      return FeedbackList(feedback: entries)
    }
  }

  /// `mpaas feedback export`: a file for spreadsheets or programs.
  struct Export: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("export", key: "feedback.export") }

    @OptionGroup var filter: FeedbackFilterOptions

    @Option(help: .text("command.feedback.export.format"))
    var format: Format?

    @Option(
      name: [.short, .long], help: .text("command.feedback.export.output", valueName: "file"), completion: .file())
    var output: String?

    @Flag(help: .text("command.feedback.export.force"))
    var force = false

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    /// The form of the file.
    enum Format: String, ExpressibleByArgument, CaseIterable { case csv, jsonl }

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let server = try server.server(in: context)
      let query = filter.query()
      let place = ResultPlace(output)
      try place.check(replaces: force, refusal: "feedback-output-exists")
      guard let output = place.file else {
        let format = format ?? (context.terminal.settings.isJSON ? .jsonl : .csv)
        try await server.exportFeedback(query, format: format.rawValue) { results.put(bytes: $0) }
        return .done
      }
      let size = try await server.exportFeedback(query, format: (format ?? .csv).rawValue, to: output)
      try results.put(ExportedFeedback(file: output, size: size))
      return .done
    }
  }
}
