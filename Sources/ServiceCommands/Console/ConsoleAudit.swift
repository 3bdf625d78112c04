import ArgumentParser
import CommandKit
import LogCommands
import MPaaSAppServicesTools
import MPaaSLogUpload
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ConsoleCommand {
  /// `mpaas console audit …`: what was done, in a chain of digests.
  struct Audit: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("audit", key: "console.audit", subcommands: [Verify.self, Export.self])
    }
  }
}

extension ConsoleCommand.Audit {
  /// `mpaas console audit verify [FILE]`: holds each entry against the one before.
  struct Verify: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("verify", key: "console.audit.verify") }

    @Argument(help: .text("command.console.audit.file"), completion: .file(extensions: ["jsonl"]))
    var file: String?

    @Option(help: .text("command.console.audit.head", valueName: "number:digest"))
    var head: String?

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> AuditVerdict {
      var chain = AuditChain()
      var digests: [Int64: String] = [:]
      let wanted = head.flatMap { $0.split(separator: ":").first }.flatMap { Int64($0) }
      func take(_ entry: AuditEntry) throws {
        try chain.take(entry)
        if entry.number == wanted { digests[entry.number] = entry.digest }
      }
      if let file {
        for entry in try AuditChain.entries(lines: try context.data(at: file).text, of: file) { try take(entry) }
      } else {
        try await AuditPages.each(try server.server(in: context), take)
      }
      if let head {
        let known = wanted.flatMap { number in digests[number].map { "\(number):\($0)" } }
        guard known == head else {
          throw AppServiceToolError(.auditBroken, ["number": wanted.map { String($0) } ?? head, "found": known ?? "–"])
        }
      }
      return AuditVerdict(entries: chain.number, head: "\(chain.number):\(chain.digest)")
    }
  }

  /// `mpaas console audit export`: a JSON object a line, verified on the way.
  struct Export: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("export", key: "console.audit.export") }

    @Option(
      name: [.short, .long], help: .text("command.console.audit.output", valueName: "file"), completion: .file())
    var output: String?

    @Flag(help: .text("command.console.audit.force"))
    var force = false

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let place = ResultPlace(output)
      try place.check(replaces: force, refusal: "audit-output-exists")
      var chain = AuditChain()
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      func line(_ entry: AuditEntry) throws -> [UInt8] {
        try chain.take(entry)
        return Array(try encoder.encode(entry)) + [0x0a]
      }
      let server = try server.server(in: context)
      guard let output = place.file else {
        try await AuditPages.each(server) { entry in
          try line(entry).withUnsafeBytes { results.put(bytes: $0) }
        }
        return .done
      }
      let partial = try PartialFile(beside: output)
      try await AuditPages.each(server) { entry in
        try line(entry).withUnsafeBytes { try partial.append($0) }
      }
      try partial.finish(mode: 0o600)
      try results.put(AuditVerdict(entries: chain.number, head: "\(chain.number):\(chain.digest)"))
      return .done
    }
  }
}

/// The audit log of a server, part by part.
enum AuditPages {
  static func each(_ server: LogServer, _ body: (AuditEntry) throws -> Void) async throws {
    var number: Int64? = 0
    while let after = number {
      let page = try await server.audit(after: after)
      for entry in page.entries { try body(entry) }
      number = page.next
    }
  }
}
