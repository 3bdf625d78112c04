import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSSymbols
import MPaaSTerminal
import MPaaSTransfer

/// The choice of servers that a command may ask for symbols: those of the options, of `DEBUGINFOD_URLS` and of
/// `MPAAS_SYMBOL_SERVERS`.
struct SymbolServerOptions: ParsableArguments {
  @Flag(name: .customLong("no-network"), help: .text("command.symbol-servers.no-network"))
  var noNetwork = false

  @Option(name: .customLong("debuginfod"), help: .text("command.symbol-servers.debuginfod", valueName: "url"))
  var debuginfod: [String] = []

  @Option(
    name: .customLong("symbol-server"), help: .text("command.symbol-servers.symbol-server", valueName: "[layout+]url"))
  var symbolServers: [String] = []

  /// The search of a command: its paths, the places of this machine with their indexes, and the servers where any are
  /// named.
  ///
  /// - Throws: `symbol-server-malformed` for an option or a variable that names none.
  func search(paths: [String], in context: Context) throws(Diagnostic) -> DebugFileSearch {
    var search = context.debugFileSearch(paths)
    let servers = try servers(context.environment)
    guard !servers.isEmpty else { return search }
    let cache = context.directories.cache
    var settings = SymbolServers.Settings(
      servers: servers, debuginfodCache: search.debuginfodCache ?? cache + "/debuginfod",
      cache: cache + "/symbol-servers")
    settings.apply(context.environment)
    let terminal = context.terminal
    let progress = FileProgress(
      context.catalogue.text("text.symbols-fetching"), on: terminal,
      began: { terminal.detail(StyledText($0, .path)) })
    search.servers = SymbolServers(
      settings, client: .live(userAgent: "mpaas/\(KitVersion.current.version)"),
      progress: { progress.show($0, received: $1.received, total: $1.total) }, problem: { terminal.warning($0) })
    return search
  }

  private func servers(_ environment: [String: String]) throws(Diagnostic) -> [SymbolServer] {
    guard !noNetwork, !environment.isSet("MPAAS_NO_NETWORK") else { return [] }
    var servers: [SymbolServer] = []
    for url in debuginfod { servers.append(try SymbolServer(url, layout: .debuginfod)) }
    for text in symbolServers { servers.append(try SymbolServer(text, layout: .unified)) }
    for text in (environment["MPAAS_SYMBOL_SERVERS"] ?? "").split(whereSeparator: \.isWhitespace) {
      servers.append(try SymbolServer(String(text), layout: .unified))
    }
    servers += SymbolServer.debuginfod(environment["DEBUGINFOD_URLS"] ?? "")
    var seen: Set<SymbolServer> = []
    return servers.filter { seen.insert($0).inserted }
  }
}

extension SymbolServers.Settings {
  /// Takes over what debuginfod's client is told by its variables and by the files in its cache (debuginfod-find(1)).
  fileprivate mutating func apply(_ environment: [String: String]) {
    func number(_ name: String) -> Int64? { environment[name].flatMap { Int64($0) } }
    if let seconds = number("DEBUGINFOD_TIMEOUT") { limits.stall = seconds > 0 ? .seconds(seconds) : nil }
    if let seconds = number("DEBUGINFOD_MAXTIME"), seconds > 0 { limits.total = .seconds(seconds) }
    if let bytes = number("DEBUGINFOD_MAXSIZE"), bytes > 0 { limits.size = UInt64(bytes) }
    if let file = try? Bytes.reading(debuginfodCache + "/cache_miss_s", limit: 32),
      let seconds = Int64(String(utf8: file.buffer).filter(\.isNumber))
    {
      missAge = seconds
    }
  }
}
