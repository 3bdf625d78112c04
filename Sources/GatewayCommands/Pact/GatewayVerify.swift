import ArgumentParser
import CommandKit
import MPaaSPact
import MPaaSPattern
import MPaaSRandom
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension GatewayCommand {
  /// `mpaas gateway verify`: the interactions of contracts, replayed against a provider.
  struct Verify: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("verify", key: "gateway.verify") }

    @Argument(help: .text("command.gateway.verify.pacts"), completion: .file(extensions: ["json"]))
    var pacts: [String] = []

    @Option(help: .text("command.gateway.verify.provider", valueName: "url"))
    var provider: String

    @Option(help: .text("command.gateway.verify.state-url", valueName: "url"))
    var stateURL: String?

    @Flag(help: .text("command.gateway.verify.state-teardown"))
    var stateTeardown = false

    @Option(help: .text("command.gateway.verify.message-url", valueName: "url"))
    var messageURL: String?

    @Option(help: .text("command.gateway.verify.filter", valueName: "pattern"))
    var filter: String?

    @Option(help: .text("command.gateway.verify.filter-state", valueName: "pattern"))
    var filterState: String?

    @Option(help: .text("command.gateway.verify.header", valueName: "header"))
    var header: [String] = []

    @Option(help: .text("command.gateway.verify.timeout", valueName: "seconds"))
    var timeout = 10.0

    @Option(help: .text("command.gateway.verify.seed", valueName: "number"))
    var seed: UInt64?

    @OptionGroup var broker: PactBrokerOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard timeout > 0, timeout <= 3600 else {
        throw ValidationError(Catalogue.current.text("text.gateway-timeout-range"))
      }
      guard !pacts.isEmpty || broker.broker != nil else {
        throw ValidationError(Catalogue.current.text("text.pact-none-given"))
      }
    }

    func run(in context: Context) async throws -> PactVerificationView {
      // A file that cannot be read is reported before anything is asked.
      let contracts = try pacts.map { try Pact(reading: PactFiles.read($0), file: $0) }
      let transport = PactTransport(
        HTTPClient.live(userAgent: "mpaas/\(KitVersion.current.version)"), timeout: timeout)
      let verification = try verification(transport, in: context)
      var verdicts: [PactVerdict] = []
      for contract in contracts { verdicts += await verification.verdicts(of: contract) }
      if let address = broker.broker {
        verdicts += try await broker.verdicts(address, transport, verification)
      }
      guard !verdicts.isEmpty else { throw Diagnostic("pact-nothing-verified", exit: .inputMissing) }
      return PactVerificationView(verdicts, context.catalogue)
    }

    private func verification(_ transport: PactTransport, in context: Context) throws -> PactVerification {
      let fields = try header.map { text -> PactField in
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
          throw Diagnostic("pact-header", ["header": text], exit: .usage)
        }
        let value = text[text.index(after: colon)...].drop { $0 == " " }
        return PactField(String(text[..<colon]), [String(value)])
      }
      let choice = PactVerification.Filter(
        description: try filter.map(Self.pattern), state: try filterState.map(Self.pattern))
      return PactVerification(
        transport.provider(provider, messages: messageURL, states: stateURL, tearsDown: stateTeardown),
        headers: fields, filter: choice, now: Int(context.now().timeIntervalSince1970 * 1000),
        random: SplitMix64(seed: seed))
    }

    private static func pattern(_ text: String) throws -> Pattern {
      do throws(PatternError) { return try Pattern(text) } catch {
        throw Diagnostic("pact-filter", ["pattern": text, "place": "\(error.offset)"], exit: .usage)
      }
    }
  }
}

/// A broker that has the contracts and takes the results.
struct PactBrokerOptions: ParsableArguments {
  @Option(help: .text("command.gateway.verify.broker", valueName: "url"))
  var broker: String?

  @Option(help: .text("command.gateway.verify.provider-name", valueName: "name"))
  var providerName: String?

  @Option(help: .text("command.gateway.verify.publish", valueName: "version"))
  var publish: String?

  func validate() throws {
    guard broker == nil || providerName != nil else {
      throw ValidationError(Catalogue.current.text("text.pact-provider-name"))
    }
  }

  /// Verifies the contracts that the broker has for the provider, and tells it what came out where that is wanted.
  func verdicts(
    _ address: String, _ transport: PactTransport, _ verification: PactVerification
  ) async throws -> [PactVerdict] {
    let broker = PactBroker(address) { url, request in await transport.answer(url, request) }
    do {
      var all: [PactVerdict] = []
      for entry in try await broker.entries(of: providerName ?? "") {
        let verdicts = await verification.verdicts(of: entry.pact)
        if let publish {
          let kit = "\(KitVersion.current.version)"
          guard try await broker.publish(verdicts, of: entry, version: publish, kit: kit) else {
            throw PactFailure("no link pb:publish-verification-results")
          }
        }
        all += verdicts
      }
      return all
    } catch let failure as PactFailure {
      throw Diagnostic("pact-broker", ["url": address, "reason": failure.reason], exit: .unreachable)
    }
  }
}
