import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer

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
      guard method?.rawValue != "get" else {
        throw TransferError(.badDescription, ["field": "method", "value": "get"])
      }
      // The queue outlives this folder's being the current one.
      let path = FileSystem.resolved(file) ?? file
      var wanted = Transfer(method ?? (url.hasPrefix("s3://") ? .s3 : .tus), url, file: path)
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
      let name = file ?? name
      let folder = FileSystem.folder(of: name)
      guard let place = FileSystem.resolved(folder) else { throw FileError.missing(folder) }
      let path = (place == "/" ? "" : place) + "/" + FileSystem.name(of: name)
      if !force, FileStatus(path) != nil { throw TransferError(.fileExists, ["path": name]) }
      var wanted = Transfer(.get, url, file: path)
      wanted.mirrors = mirror
      wanted.parts = parts
      return try await transfer.move(wanted, queue, moving, in: context)
    }

    /// The last part of the address.
    private var name: String {
      let path = url.prefix { $0 != "?" && $0 != "#" }
      let last = path.split(separator: "/").dropFirst(2).last.map(String.init) ?? ""
      return last.isEmpty || last == "." || last == ".." ? "index.html" : last
    }
  }
}
