import ArgumentParser
import CommandKit
import MPaaSPush
import MPaaSSupport
import MPaaSTerminal
import PushServingKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The key by which APNs knows a team.
struct PushKeyOptions: ParsableArguments {
  @Option(help: .text("command.push.key-file", valueName: "file"), completion: .file(extensions: ["p8"]))
  var key: String?

  @Option(help: .text("command.push.key-id", valueName: "id"))
  var keyID: String?

  @Option(help: .text("command.push.team", valueName: "id"))
  var team: String?

  func words() throws -> PushSending.KeyWords {
    guard let key else { throw Diagnostic("push-missing", ["option": "--key"], exit: .usage) }
    return try Self.words(key, keyID: keyID, team: team)
  }

  /// The words of a key, whose ID may stand in the name of its file, as Apple's site gives it.
  static func words(_ file: String, keyID: String?, team: String?) throws -> PushSending.KeyWords {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let named = name.hasPrefix("AuthKey_") && name.hasSuffix(".p8") ? String(name.dropFirst(8).dropLast(3)) : nil
    guard let id = keyID ?? named else { throw Diagnostic("push-missing", ["option": "--key-id"], exit: .usage) }
    guard let team else { throw Diagnostic("push-missing", ["option": "--team"], exit: .usage) }
    return PushSending.KeyWords(file: file, keyID: id, team: team)
  }

  func key(_ words: PushSending.KeyWords) throws -> ProviderKey { try ProviderKey(words) }
}

extension ProviderKey {
  init(_ words: PushSending.KeyWords) throws {
    let bytes = try Bytes.reading(words.file, limit: 64 << 10)
    let pem = bytes.text
    do throws(PushError) {
      try self.init(pem: pem, keyID: words.keyID, teamID: words.team)
    } catch {
      throw error.code == .keyMalformed ? error.inFile(words.file) : error
    }
  }
}

extension PushCommand {
  /// `mpaas push key …`: keys of teams.
  struct Key: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("key", key: "push.key", subcommands: [Check.self])
    }

    /// `mpaas push key check FILE`: tells whether a key can sign tokens for APNs.
    struct Check: MPaaSCommand {
      static var configuration: CommandConfiguration { CommandConfiguration("check", key: "push.key.check") }

      @Argument(help: .text("command.push.key-file"), completion: .file(extensions: ["p8"]))
      var file: String

      @Option(help: .text("command.push.key-id", valueName: "id"))
      var keyID: String?

      @Option(help: .text("command.push.team", valueName: "id"))
      var team: String?

      @OptionGroup var common: CommonOptions

      func run(in context: Context) async throws -> CheckedPushKey {
        let words = try PushKeyOptions.words(file, keyID: keyID, team: team)
        let key = try ProviderKey(words)
        let second = Int(context.now().timeIntervalSince1970)
        let token = try key.token(issuedAt: second)
        let isRight = try JSONWebToken(token).map { try ProviderPublicKey(pem: key.publicPEM).verifies($0) } ?? false
        return CheckedPushKey(
          keyID: key.keyID, team: key.teamID, valid: isRight, publicKey: key.publicPEM, issued: second,
          othersMayRead: FileStatus(file).map { $0.permissions & 0o077 != 0 } ?? false)
      }
    }
  }
}

/// A key that was checked.
struct CheckedPushKey: Presentable {
  let keyID: String
  let team: String
  let valid: Bool
  let publicKey: String
  /// The second since 1970 that a token of now names.
  let issued: Int
  let othersMayRead: Bool

  private enum CodingKeys: String, CodingKey {
    case valid, issued
    case keyID = "key_id"
    case team = "team_id"
    case publicKey = "public_key"
    case othersMayRead = "others_may_read"
  }

  var exit: ExitStatus { valid ? .done : .negative }

  func document(_ catalogue: Catalogue) -> Document {
    let text = catalogue.text(valid ? "text.push-key-good" : "text.push-key-bad", ["id": keyID, "team": team])
    var document: Document = [.line(StyledText(text, valid ? .good : .warning))]
    if othersMayRead { document.line(StyledText(catalogue.text("text.push-key-open"), .warning)) }
    for line in publicKey.split(separator: "\n") { document.line(StyledText(String(line), .faint)) }
    return document
  }
}
