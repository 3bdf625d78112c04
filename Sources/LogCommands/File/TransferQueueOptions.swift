import ArgumentParser
package import CommandKit
import MPaaSSupport
import MPaaSTerminal
import MPaaSTransfer

/// The choice of a queue, and of the way to its servers.
struct TransferQueueOptions: ParsableArguments {
  @Option(help: .text("command.file.queue", valueName: "file"), completion: .file())
  var queue: String?

  @Option(help: .text("command.file.token-file", valueName: "file"), completion: .file())
  var tokenFile: String?

  @Option(help: .text("command.file.proxy", valueName: "address"))
  var proxy: String?

  @Option(help: .text("command.file.authorities", valueName: "file"), completion: .file())
  var authorities: String?

  @Option(name: .customLong("pin"), help: .text("command.file.pin", valueName: "base64"))
  var pins: [String] = []

  @Option(help: .text("command.file.http", valueName: "1.1|2|3"), completion: .list(["1.1", "2", "3"]))
  var http: String?

  @Option(help: .text("command.file.rate", valueName: "size"))
  var rate: ByteSize?

  @Option(help: .text("command.file.parallel", valueName: "count"))
  var parallel = 3

  func validate() throws {
    if let http, !["1.1", "2", "3"].contains(http) { throw ValidationError("--http 1.1, 2, 3") }
  }

  func path(in context: Context) throws -> String { try queue ?? context.transfers() + "/queue.sqlite" }

  /// Opens the queue with what the options say.
  func open(in context: Context) throws -> TransferQueue {
    var options = TransferOptions()
    options.userAgent = "mpaas/\(KitVersion.current.version)"
    options.proxy = proxy
    options.certificates = authorities
    options.pinnedKeys = pins
    options.httpVersion = http
    options.rate = rate.map { Int64(clamping: $0.bytes) }
    options.parallel = max(parallel, 1)
    let token = try token(in: context)
    // Without one that is named, what waits for a server of ours goes with its profile's.
    let profiles = token == nil ? context.profileTokens() : []
    options.headers = { url in
      let own = token ?? profiles.first { url.hasPrefix($0.url + "/") }?.token
      return own.map { ["Authorization": "Bearer \($0)"] } ?? [:]
    }
    return try TransferQueue(try path(in: context), options: options)
  }

  /// From a file or the environment, never an argument.
  private func token(in context: Context) throws -> String? {
    guard let tokenFile else { return context.environment.variable("MPAAS_TOKEN") }
    let token = try TokenFile.read(tokenFile, in: context)
    return token.isEmpty ? nil : token
  }
}

extension Context {
  /// The folder of the queue that commands share, which only its owner may read.
  package func transfers() throws -> String {
    let folder = directories.data + "/transfers"
    try PrivateFolder.create(folder)
    try PrivateFolder.close(folder)
    return folder
  }
}

/// `500`, `64k`, `8M`, `2G`: bytes, the letters being powers of 1024.
struct ByteSize: ExpressibleByArgument {
  let bytes: UInt64

  init?(argument: String) {
    let units: [Character: UInt64] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30]
    let unit = argument.last.flatMap { units[Character($0.lowercased())] }
    let digits = unit == nil ? argument[...] : argument.dropLast()
    guard let count = UInt64(digits), case let (bytes, overflow) = count.multipliedReportingOverflow(by: unit ?? 1),
      !overflow, bytes > 0
    else { return nil }
    self.bytes = bytes
  }
}

/// `NAME=VALUE`; the value may be empty.
struct NamedValue: ExpressibleByArgument {
  let name: String
  let value: String

  init?(argument: String) {
    guard let sign = argument.firstIndex(of: "="), sign != argument.startIndex else { return nil }
    name = String(argument[..<sign])
    value = String(argument[argument.index(after: sign)...])
  }
}
