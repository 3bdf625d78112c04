import ArgumentParser
import CommandKit
import MPaaSFlagPublishing
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

extension FlagProposal.State: ExpressibleByArgument {}

extension FlagsCommand {
  /// `mpaas flags proposals [ID]`: the changes that wait for approval, or all of one.
  struct Proposals: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("proposals", key: "flags.proposals") }

    @Argument(help: .text("command.flags.proposals.id"), completion: .flagProposals)
    var id: String?

    @Option(help: .text("command.flags.proposals.state"))
    var state: FlagProposal.State?

    @OptionGroup var server: FlagServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let server = try context.flagServer(server)
      if let id {
        try results.put(FlagProposalView(try await server.proposal(id)))
      } else {
        try results.put(FlagProposalList(proposals: try await server.proposals(state)))
      }
      return .done
    }
  }

  /// `mpaas flags approve ID`: a proposal gets the approval of the token's owner.
  struct Approve: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("approve", key: "flags.approve") }

    @Argument(help: .text("command.flags.approve.id"), completion: .flagProposals)
    var id: String

    @OptionGroup var server: FlagServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> FlagProposalView {
      FlagProposalView(try await context.flagServer(server).approve(id))
    }
  }

  /// `mpaas flags withdraw ID`: a proposal is not published any more.
  struct Withdraw: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("withdraw", key: "flags.withdraw") }

    @Argument(help: .text("command.flags.withdraw.id"), completion: .flagProposals)
    var id: String

    @OptionGroup var server: FlagServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> FlagProposalView {
      FlagProposalView(try await context.flagServer(server).withdraw(id))
    }
  }
}
