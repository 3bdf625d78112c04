import ArgumentParser
import CommandKit
import MPaaSCodeSignature
import MPaaSScan
import MPaaSSecrets
import MPaaSSupport
import MPaaSTerminal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ScanCommand {
  /// `mpaas scan PATH…`: facts and findings.
  struct Check: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("check", key: "scan.check") }

    enum Format: String, CaseIterable, ExpressibleByArgument { case text, sarif, html }

    @Argument(help: .text("command.scan.paths"), completion: .file())
    var paths: [String]

    @Option(help: .text("command.scan.check.format"))
    var format: Format = .text

    @Option(name: [.short, .long], help: .text("command.scan.output"), completion: .file())
    var output: String?

    @Option(name: .customLong("fail-on"), help: .text("command.scan.check.fail-on"))
    var failOn: ScanSeverity?

    @Option(help: .text("command.scan.check.policy"), completion: .file(extensions: ["toml"]))
    var policy: String?

    @Option(help: .text("command.scan.check.baseline"), completion: .file(extensions: ["json"]))
    var baseline: String?

    @Option(
      name: .customLong("write-baseline"), help: .text("command.scan.check.write-baseline"), completion: .file())
    var newBaseline: String?

    @Option(help: .text("command.scan.check.secrets"))
    var secrets: SecretReach = .data

    @Option(
      name: .customLong("secret-rules"), help: .text("command.scan.check.secret-rules"),
      completion: .file(extensions: ["toml"]))
    var secretRules: [String] = []

    @Option(help: .text("command.scan.check.anchor"), completion: .file(extensions: ["pem", "cer", "crt", "der"]))
    var anchor: [String] = []

    @OptionGroup var modules: ScanModuleOptions

    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let rules = try readPolicy()
      var scan = Scan()
      scan.time = context.second
      scan.secretReach = secrets
      scan.anchors = try anchor.flatMap(readAnchors)
      scan.modules = try modules.known(in: context)
      if secrets != .none { scan.secretRules = try readSecretRules() }
      let report = try scan.report(of: paths)
      let judgement = ScanJudgement(
        report, rules, baseline: try readBaseline(), today: CivilDate.at(secondsSince1970: context.second).date)
      let words = ScanWords(context.catalogue)
      let tool = ScanTool(version: KitVersion.current.version, time: context.second)
      if let newBaseline {
        let findings = judgement.counted + judgement.known
        try Bytes(Array(ScanBaseline.document(of: findings, in: report).utf8)).write(to: newBaseline)
      }
      let view = ScanView(report, judgement, words)
      let text: String? =
        switch format {
        case .text: nil
        case .sarif: ScanSARIF(words, tool).document(report, judgement).line + "\n"
        case .html: ScanPage(words, tool).text(report, judgement)
        }
      try context.put(view, text: text, to: output, results)
      // What was just written down as known fails from the next call on, if it is new then.
      if newBaseline != nil { return .done }
      return judgement.fails(on: failOn ?? rules.failOn ?? .high) ? .negative : .done
    }

    private func readPolicy() throws -> ScanPolicy {
      guard let policy else { return ScanPolicy() }
      return try ScanPolicy(try Bytes.mapping(policy).text, file: policy)
    }

    private func readSecretRules() throws -> SecretRules {
      try secretRules.reduce(try SecretRules.builtIn()) { rules, file in
        rules.adding(try SecretRuleFile.rules(of: try Bytes.mapping(file).text, file: file))
      }
    }

    private func readAnchors(_ file: String) throws -> [X509Certificate] {
      let bytes = try Bytes.mapping(file)
      do throws(CodeSignatureError) {
        return try X509Certificate.all(in: bytes)
      } catch {
        throw Diagnostic(
          "scan-anchor", ["file": file], at: .bytes(file: file, offset: error.offset), exit: .malformedInput)
      }
    }

    private func readBaseline() throws -> ScanBaseline? {
      try baseline.map { try ScanBaseline(try Bytes.mapping($0), file: $0) }
    }
  }
}

extension ScanSeverity: ExpressibleByArgument {}
extension SecretReach: ExpressibleByArgument {}

extension Context {
  /// Seconds since 1970.
  var second: Int { Int(now().timeIntervalSince1970) }
}
