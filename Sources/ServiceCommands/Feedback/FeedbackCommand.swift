import ArgumentParser
import CommandKit
import LogCommands
import MPaaSAppServicesTools
import MPaaSProtocol
import MPaaSTerminal

/// `mpaas feedback …`: what users say, and what is answered.
struct FeedbackCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "feedback", key: "feedback",
      subcommands: [List.self, Show.self, Reply.self, Close.self, Export.self])
  }
}

/// The choice of feedback.
struct FeedbackFilterOptions: ParsableArguments {
  @Option(help: .text("command.feedback.state"))
  var state: FeedbackState?

  @Option(help: .text("command.feedback.category", valueName: "word"))
  var category: String?

  @Option(help: .text("command.feedback.user", valueName: "user"))
  var user: String?

  @Option(help: .text("command.feedback.text", valueName: "text"))
  var text: String?

  func query(before: Int64? = nil, limit: Int? = nil) -> FeedbackQuery {
    FeedbackQuery(state: state, category: category, user: user, text: text, before: before, limit: limit)
  }
}

extension FeedbackState: ExpressibleByArgument {}

extension CompletionKind {
  /// The feedback of the server that a command would ask, the newest first.
  static var feedbackNumbers: CompletionKind {
    served(ServerPaths.feedback) { (page: FeedbackPage) in
      page.feedback.map { Candidate(String($0.number), "\($0.state.rawValue)  \($0.beginning)") }
    }
  }
}

extension FeedbackCommand {
  /// `mpaas feedback list`: the newest first.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "feedback.list") }

    @OptionGroup var filter: FeedbackFilterOptions

    @Option(help: .text("command.feedback.list.limit", valueName: "number"))
    var limit: Int?

    @Option(help: .text("command.feedback.list.before", valueName: "number"))
    var before: Int64?

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard (1...1000).contains(limit ?? 1) else {
        throw ValidationError(Catalogue.current.text("text.list-limit"))
      }
    }

    func run(in context: Context) async throws -> FeedbackList {
      FeedbackList(
        feedback: try await server.server(in: context).feedback(filter.query(before: before, limit: limit)))
    }
  }

  /// `mpaas feedback show NUMBER`.
  struct Show: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("show", key: "feedback.show") }

    @Argument(help: .text("command.feedback.number", valueName: "number"), completion: .feedbackNumbers)
    var number: Int64

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> FeedbackView {
      FeedbackView(entry: try await server.server(in: context).feedback(number))
    }
  }
}
