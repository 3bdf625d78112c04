import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSHotpatch
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

/// Whose word on crashes counts.
struct StatisticsKeyOptions: ParsableArguments {
  @Option(help: .text("command.hotpatch.rollout.statistics-key", valueName: "key"), completion: .file())
  var statisticsKey: [String] = []

  /// The totals of a file, signed by a key that is named, or by one of the store for the role `statistics`.
  func totals(_ path: String, in context: Context) throws -> CrashTotals {
    let bytes = try Bytes.reading(path, limit: CrashTotals.largest * 2)
    let keys = try keys(in: context)
    do throws(TrustError) {
      return try CrashTotals(signed: bytes.buffer, by: keys)
    } catch {
      throw TrustError(error.code, error.values, at: .file(path))
    }
  }

  /// The totals of a file that change nothing: signed ones or unsigned ones.
  func shown(_ path: String, in context: Context) throws -> CrashTotals {
    let bytes = try Bytes.reading(path, limit: CrashTotals.largest * 2)
    guard (try? DSSEEnvelope(reading: bytes.buffer, limit: CrashTotals.largest * 2)) == nil else {
      return try totals(path, in: context)
    }
    do throws(TrustError) {
      return try CrashTotals(reading: bytes.buffer)
    } catch {
      throw TrustError(error.code, error.values, at: .file(path))
    }
  }

  private func keys(in context: Context) throws -> [VerificationKey] {
    guard statisticsKey.isEmpty else {
      return try statisticsKey.map { word in
        guard FileStatus(word) != nil else {
          return try context.keys.anyRecord(word, isTrusted: false).record.publicKey.verificationKey()
        }
        return try VerificationKey.reading(word)
      }
    }
    guard let role = KeyRole.statistics else { return [] }
    // Keys without a role may sign anything; who counts crashes must have been named.
    let records = try context.keys.ownKeys(for: role) + context.keys.trustedKeys(for: role)
    return try records.filter { $0.roles.contains(role) }.map { try $0.publicKey.verificationKey() }
  }
}

extension KeyRole {
  /// Signs crash totals.
  static let statistics = KeyRole(rawValue: "statistics")
}

extension CrashTotals {
  static let reason = "more crashes than without it"
}

extension HotpatchCommand {
  /// `mpaas hotpatch sign-totals`: vouches for crash totals.
  struct SignTotals: MPaaSCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("sign-totals", key: "hotpatch.sign-totals")
    }

    @Argument(help: .text("command.hotpatch.sign-totals.file"), completion: .file())
    var file: String

    @Option(
      name: .customLong("key"), help: .text("command.hotpatch.sign-totals.key", valueName: "name"),
      completion: .keyNames)
    var keyNames: [String]

    @Option(help: .text("command.hotpatch.sign-totals.output", valueName: "file"), completion: .file())
    var output: String

    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> TotalsSigned {
      let bytes = try Bytes.reading(file, limit: CrashTotals.largest)
      let sealed = try keyNames.map { try context.keys.sealedKey($0) }
      if let role = KeyRole.statistics { for key in sealed { try key.check(for: role, at: context.now()) } }
      let keys = try passphrase.open(sealed, in: context).map { try $0.signingKey() }
      let signed: [UInt8]
      do throws(TrustError) {
        signed = try CrashTotals.signed(bytes, with: keys)
      } catch {
        throw TrustError(error.code, error.values, at: .file(file))
      }
      try Bytes(signed).write(to: output)
      return TotalsSigned(output: output, keys: keys.map(\.verificationKey.keyID))
    }
  }
}

/// The file that was signed, and its signer.
struct TotalsSigned: Presentable {
  let output: String
  let keys: [String]

  func document(_ catalogue: Catalogue) -> Document { [.line(StyledText(output))] }
}
