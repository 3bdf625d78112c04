import ArgumentParser
import CommandKit
import MPaaSTerminal
import MPaaSTransfer
import MPaaSTransferTools

extension FileCommand {
  /// `mpaas file put FILE URL`: uploads a file.
  struct Put: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("put", key: "file.put") }

    @Argument(help: .text("command.file.put.file", valueName: "file"), completion: .file())
    var file: String

    @Argument(help: .text("command.file.put.url", valueName: "url"))
    var url: String

    @Option(help: .text("command.file.put.method"))
    var method: Transfer.Method?

    @Option(name: .customLong("meta"), help: .text("command.file.put.meta", valueName: "name=value"))
    var metadata: [NamedValue] = []

    @Option(help: .text("command.file.put.chunk", valueName: "size"))
    var chunk: ByteSize?

    @Option(help: .text("command.file.put.parts", valueName: "count"))
    var parts = 1

    @Option(help: .text("command.file.put.checksum", valueName: "sha1|sha256|crc32c"))
    var checksum: String?

    @Flag(help: .text("command.file.put.remove"))
    var remove = false

    @OptionGroup var transfer: TransferDescriptionOptions
    @OptionGroup var queue: TransferQueueOptions
    @OptionGroup var moving: TransferRunOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> TransferList {
      var wanted = try Transfer(uploading: file, to: url, by: method)
      for pair in metadata { wanted.metadata[pair.name] = pair.value }
      wanted.chunk = chunk.map { Int64(clamping: $0.bytes) }
      wanted.parts = parts
      wanted.checksum = checksum
      wanted.removesFile = remove
      return try await transfer.move(wanted, queue, moving, in: context)
    }
  }
}

extension FileCommand {
  /// `mpaas file get URL [FILE]`: downloads a file.
  struct Get: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("get", key: "file.get") }

    @Argument(help: .text("command.file.get.url", valueName: "url"))
    var url: String

    @Argument(help: .text("command.file.get.file", valueName: "file"), completion: .file())
    var file: String?

    @Option(help: .text("command.file.get.mirror", valueName: "url"))
    var mirror: [String] = []

    @Option(help: .text("command.file.get.parts", valueName: "count"))
    var parts = 1

    @Flag(help: .text("command.file.get.force"))
    var force = false

    @OptionGroup var transfer: TransferDescriptionOptions
    @OptionGroup var queue: TransferQueueOptions
    @OptionGroup var moving: TransferRunOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> TransferList {
      var wanted = try Transfer(downloading: url, to: file, replaces: force)
      wanted.mirrors = mirror
      wanted.parts = parts
      return try await transfer.move(wanted, queue, moving, in: context)
    }
  }
}
