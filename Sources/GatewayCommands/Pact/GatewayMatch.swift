import ArgumentParser
import CommandKit
package import MPaaSPact
import MPaaSSupport
import MPaaSTerminal

extension PactSpecification: ExpressibleByArgument {
  /// The digits of a version, with or without a `v`.
  package init?(argument: String) { self.init(word: argument) }
  package static var allValueStrings: [String] { allCases.map(\.short) }
}

extension PactPair.Part: ExpressibleByArgument {}

extension GatewayCommand {
  /// `mpaas gateway match`: files with what is expected and what came, compared as contracts of a version are.
  struct Match: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("match", key: "gateway.match") }

    @Argument(help: .text("command.gateway.match.files"), completion: .file(extensions: ["json"]))
    var files: [String]

    @Option(help: .text("command.gateway.match.pact-spec", valueName: "version"))
    var pactSpec: PactSpecification

    @Option(help: .text("command.gateway.match.part", valueName: "part"))
    var part: PactPair.Part

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PactMatchView {
      let results = try files.map { file in
        let pair = try PactPair(PactFiles.read(file), file: file, part, pactSpec)
        return PactMatchView.Result(file: file, pair, context.catalogue)
      }
      return PactMatchView(results: results)
    }
  }
}

/// The bytes of contracts and of files like them.
enum PactFiles {
  /// The most bytes of a file.
  static let largest = 64 << 20

  static func read(_ path: String) throws -> [UInt8] { try Bytes.reading(path, limit: largest).array }
}
