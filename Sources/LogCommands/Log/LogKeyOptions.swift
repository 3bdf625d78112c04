import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSLogReading
import MPaaSLogUpload
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust
import MPaaSTrustTools

/// The options that open encrypted logs.
struct LogKeyOptions: ParsableArguments {
  @Option(name: .customLong("key"), help: .text("command.log.key", valueName: "name"), completion: .keyNames)
  var names: [String] = []

  @Option(name: .customLong("identity"), help: .text("command.log.identity", valueName: "file"), completion: .file())
  var identities: [String] = []

  @OptionGroup var passphrase: PassphraseOptions

  /// The keys that were named; else `MPAAS_LOG_KEY`'s; else those of the user's that need no passphrase.
  func keys(in context: Context) throws -> LogKeys {
    var all: [AgeIdentity] = []
    for path in identities {
      let secret = try PrivateFile.read(path)
      all += try secret.withUnsafeBytes { try AgeIdentity.list(reading: String(decoding: $0, as: UTF8.self)) }
    }
    let named = names.isEmpty ? Self.words(context.environment["MPAAS_LOG_KEY"]) : names
    if !named.isEmpty {
      let sealed = try named.map { try context.keys.sealedKey($0) }
      all += try passphrase.source(in: context).open(sealed).map { try $0.identity() }
    } else if identities.isEmpty {
      all = Self.openKeys(in: context)
    }
    return LogKeys(all)
  }

  private static func words(_ text: String?) -> [String] {
    (text ?? "").split(separator: ",").map(String.init)
  }

  private static func openKeys(in context: Context) -> [AgeIdentity] {
    ((try? context.keys.names()) ?? []).compactMap { name in
      guard let sealed = try? context.keys.sealedKey(name), !sealed.isEncrypted, let key = try? sealed.open(with: nil)
      else { return nil }
      return try? key.identity()
    }
  }
}

/// The options that open the files that are read: keys of ours, Logan's and xlog's, and the zone of times without one.
struct LogOpeningOptions: ParsableArguments {
  @OptionGroup var keys: LogKeyOptions

  @Option(help: .text("command.log.logan-key", valueName: "file"), completion: .file())
  var loganKey: String?

  @Option(help: .text("command.log.xlog-key", valueName: "file"), completion: .file())
  var xlogKey: String?

  @Flag(help: .text("command.log.utc"))
  var utc = false

  var zone: LogZone { LogZone(utc ? .utc : .local) }

  func opening(in context: Context) throws -> LogOpening {
    var opening = LogOpening()
    opening.keys = try keys.keys(in: context)
    opening.zone = zone
    opening.temporary = context.directories.temporary
    opening.loganKey = try secret(loganKey, "MPAAS_LOGAN_KEY", in: context).map { try LoganKey($0) }
    opening.xlogKey = try secret(xlogKey, "MPAAS_XLOG_KEY", in: context).map { try XlogKey($0) }
    return opening
  }

  private func secret(_ path: String?, _ name: String, in context: Context) throws -> String? {
    guard let path else { return context.environment.variable(name) }
    return try PrivateFile.read(path).withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}
