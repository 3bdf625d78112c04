import ArgumentParser
import CommandKit
import MPaaSHotpatchTools
import MPaaSSupport
import MPaaSTerminal

extension HotpatchCommand {
  /// `mpaas hotpatch run FILE`: executes a patch in a child process under limits, against a list of symbols.
  struct Run: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("run", key: "hotpatch.run") }

    @Argument(help: .text("command.hotpatch.run.file"), completion: .file())
    var file: String

    @Option(help: .text("command.hotpatch.run.symbols", valueName: "list"), completion: .file())
    var symbols: String?

    @Option(help: .text("command.hotpatch.run.call", valueName: "function"))
    var call: String?

    @Option(help: .text("command.hotpatch.run.arguments", valueName: "json"))
    var arguments: String?

    @OptionGroup var limits: HarnessLimits
    @OptionGroup var content: BundleContentOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) throws -> HotpatchRunResult {
      let sources = try content.sources(file, in: context)
      var request = try limits.request(sources.files, symbols: symbols)
      request.call = call
      request.arguments = arguments
      return HotpatchRunResult(try HarnessChild.process.run(request), isTest: false)
    }
  }

  /// `mpaas hotpatch test FOLDER`: runs the assertions that stand beside a patch.
  struct Test: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("test", key: "hotpatch.test") }

    @Argument(help: .text("command.hotpatch.test.file"), completion: .file())
    var file: String

    @Option(help: .text("command.hotpatch.run.symbols", valueName: "list"), completion: .file())
    var symbols: String?

    @Option(help: .text("command.hotpatch.test.tests", valueName: "path"), completion: .file())
    var tests: [String] = []

    @OptionGroup var limits: HarnessLimits
    @OptionGroup var content: BundleContentOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) throws -> HotpatchRunResult {
      var sources = try content.sources(file, in: context)
      for path in tests { try sources.addTests(path) }
      guard !sources.tests.isEmpty else { throw Diagnostic("hotpatch-no-tests", ["path": file], exit: .inputMissing) }
      var request = try limits.request(sources.files, symbols: symbols)
      request.tests = sources.tests
      return HotpatchRunResult(try HarnessChild.process.run(request), isTest: true)
    }
  }
}

extension BundleContentOptions {
  /// The Lua files that a user named: as they lie there, or out of a bundle that passed all checks.
  func sources(_ path: String, in context: Context) throws -> PatchSources {
    guard BundlePath.names(path) else { return try PatchSources(path) }
    return try PatchSources(files(of: path, in: context), at: path)
  }
}

/// The limits of one call of the patch.
struct HarnessLimits: ParsableArguments {
  @Option(help: .text("command.hotpatch.run.instructions", valueName: "count"))
  var instructions = 2_000_000

  @Option(help: .text("command.hotpatch.run.time", valueName: "ms"))
  var time = 1000

  @Option(help: .text("command.hotpatch.run.memory", valueName: "bytes"))
  var memory = 16 << 20

  func request(_ files: [String: String], symbols: String?) throws -> HarnessRequest {
    try HarnessRequest(
      trying: files, symbols: symbols, instructions: instructions, milliseconds: time, memory: memory)
  }
}
