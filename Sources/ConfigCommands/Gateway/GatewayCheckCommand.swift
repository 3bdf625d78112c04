import ArgumentParser
import CommandKit
import MPaaSConfig
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer

extension GatewayEnvironments {
  /// `mpaas gateway env check`: malformed addresses, and with `--online` those without an answer.
  struct Check: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("check", key: "gateway.env.check") }

    @Argument(help: .text("command.gateway.env.check.words"), completion: .gatewayEnvironments)
    var words: [String] = []

    @Flag(help: .text("command.gateway.env.check.online"))
    var online = false

    @Option(help: .text("command.gateway.env.check.timeout", valueName: "seconds"))
    var timeout = 5.0

    @Flag(help: .text("command.gateway.env.check.strict"))
    var strict = false

    @OptionGroup var options: GatewayFileOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard timeout > 0, timeout <= 600 else {
        throw ValidationError(Catalogue.current.text("text.gateway-timeout-range"))
      }
    }

    func run(in context: Context) async throws -> FindingsView {
      let (file, words) = try options.open(words)
      let names = try words.map { try file.environment($0).name }
      var findings = GatewayCheck.findings(in: file)
      if online {
        let client = HTTPClient.live(userAgent: "mpaas/\(KitVersion.current.version)")
        let targets = (names.isEmpty ? [nil] : names.map(Optional.some)).flatMap {
          GatewayCheck.targets(in: file, environment: $0)
        }
        findings += await Self.unreachable(targets, client, timeout)
      }
      return FindingsView(findings.inOrderOfPlaces, files: 1, isStrict: strict, context.catalogue)
    }

    /// Asks all addresses at once; any answer at all shows that somebody is there.
    static func unreachable(
      _ targets: [GatewayCheck.Target], _ client: HTTPClient, _ timeout: Double
    ) async -> [ConfigFinding] {
      await withTaskGroup(of: ConfigFinding?.self) { group in
        for target in targets { group.addTask { await ask(target, client, timeout) } }
        var findings: [ConfigFinding] = []
        for await finding in group { if let finding { findings.append(finding) } }
        return findings
      }
    }

    private static func ask(
      _ target: GatewayCheck.Target, _ client: HTTPClient, _ timeout: Double
    ) async -> ConfigFinding? {
      var call = HTTPCall("HEAD", target.url)
      call.limits.connect = .milliseconds(Int(timeout * 1000))
      call.limits.total = call.limits.connect
      do throws(HTTPError) {
        _ = try await client.answer(to: call)
        return nil
      } catch {
        let values = [
          "key": target.keys.joined(separator: ", "), "value": target.url, "reason": error.reason,
          "seconds": timeout == timeout.rounded() ? "\(Int(timeout))" : "\(timeout)",
        ]
        return ConfigFinding(.error, .gatewayUnreachable, values, at: target.place)
      }
    }
  }
}
