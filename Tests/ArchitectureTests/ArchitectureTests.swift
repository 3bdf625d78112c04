import Foundation
import MPaaSTestSupport
import Testing

@Suite("The architecture") struct ArchitectureTests {
  /// The imports of ours that each target may have.
  static let allowed: [String: Set<String>] = [
    "mpaas": ["CommandKit", "MPaaSCommands"],
    "mpaas-server": ["MPaaSServer", "MPaaSServing", "ServingKit"],
    "OrderBook": ["CrashReporter", "COrderBook", "MPaaSHotpatch", "MPaaSTrust"],
    "MPaaSCommands": Set(commands.keys).union(["CommandKit"]),
    "CommandKit": ["ServingKit", "MPaaSTerminal", "MPaaSSupport", "MPaaSToolSupport"],
    "ServingKit": ["MPaaSTerminal", "MPaaSSupport"],
    "NetworkServingKit": [
      "ServingKit", "MPaaSNetworkConditions", "MPaaSTerminal", "MPaaSSupport", "MPaaSToolSupport",
    ],
    "PinyinServingKit": ["ServingKit", "MPaaSPinyin", "MPaaSSupport"],
    "MPaaSServing": [
      "NetworkServingKit", "PinyinServingKit", "ServingKit", "MPaaSHTTPServer", "MPaaSNetwork", "MPaaSPinyin",
      "MPaaSSymbols", "MPaaSTerminal", "MPaaSSupport", "MPaaSToolSupport", "MPaaSTransferTools",
    ],
    "MPaaSServer": [
      "MPaaSCrash", "MPaaSSymbols", "MPaaSTerminal", "MPaaSProtocol", "MPaaSSQLite", "MPaaSDigests", "MPaaSSupport",
      "CCompression", "MPaaSCrashReport", "MPaaSToolSupport",
    ],
    "MPaaSKitUpdate": [
      "MPaaSArchive", "MPaaSDeltas", "MPaaSDigests", "MPaaSSupport", "MPaaSToolSupport", "MPaaSTransfer", "MPaaSTrust",
    ],
    "MPaaSAppServices": [
      "MPaaSFramework", "MPaaSVerification", "MPaaSDeltas", "MPaaSDigests", "MPaaSLock", "MPaaSSupport",
    ],
    "MPaaSAppServicesTools": [
      "MPaaSAppServices", "MPaaSDAO", "MPaaSTrust", "MPaaSTrustTools", "MPaaSDeltas", "MPaaSDigests", "MPaaSSupport",
    ],
    "MPaaSLogs": [
      "MPaaSAge", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime", "CLogRing", "CAppLog", "CLibZstd",
    ],
    "MPaaSLogUpload": [
      "MPaaSLogs", "MPaaSTransfer", "MPaaSProtocol", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime",
      "CLogRing", "MPaaSArchive",
    ],
    "MPaaSLogReading": [
      "MPaaSLogs", "MPaaSLogUpload", "MPaaSTrust", "MPaaSTransfer", "MPaaSProtocol", "MPaaSDigests", "MPaaSSupport",
      "MPaaSTime", "CLogScan", "CCompression", "CLibZ", "CLibZstd", "MPaaSToolSupport", "MPaaSArchive",
    ],
    "MPaaSLogHandler": ["MPaaSLogs"],
    "MPaaSStorage": [
      "MPaaSAge", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime", "CAtomicWord", "CLogRing",
    ],
    "MPaaSStorageImport": ["MPaaSConfig", "MPaaSStorage", "MPaaSSupport"],
    "MPaaSRecords": ["MPaaSSQLite", "MPaaSLock", "MPaaSSupport"],
    "MPaaSProtocol": [],
    "MPaaSSQLite": ["MPaaSSupport", "MPaaSTime", "CSQLite"],
    "MPaaSProject": [
      "MPaaSArchive", "MPaaSConfig", "MPaaSDeclarations", "MPaaSModules", "MPaaSPinyin", "MPaaSTOML", "MPaaSSupport",
      "MPaaSToolSupport",
    ],
    "MPaaSDemo": ["MPaaSSupport", "MPaaSToolSupport"],
    "MPaaSPipelines": [
      "MPaaSDigests", "MPaaSModules", "MPaaSProject", "MPaaSSymbols", "MPaaSTOML", "MPaaSTransfer", "MPaaSSupport",
      "MPaaSToolSupport",
    ],
    "MPaaSConfig": ["MPaaSDeclarations", "MPaaSSupport"],
    "MPaaSTheme": ["MPaaSConfig", "MPaaSSupport"],
    "MPaaSLanguages": ["MPaaSConfig", "MPaaSDeclarations", "MPaaSSupport", "MPaaSToolSupport"],
    "MPaaSDeclarations": [],
    "MPaaSFlags": ["MPaaSPattern", "MPaaSLock", "MPaaSSupport"],
    "MPaaSFlagTools": ["MPaaSFlags", "MPaaSPattern", "MPaaSSupport"],
    "MPaaSPattern": [],
    "MPaaSDAO": ["MPaaSDAORuntime", "MPaaSSQLite", "MPaaSSupport", "CExpat", "CSQLite"],
    "MPaaSDAORuntime": ["MPaaSSQLite", "MPaaSLock", "MPaaSSupport", "MPaaSTime", "CSQLite"],
    "MPaaSDAOCompiler": ["MPaaSDAO", "MPaaSDeclarations", "MPaaSSupport"],
    "DAOTool": ["MPaaSDAOCompiler", "MPaaSDeclarations", "MPaaSSupport"],
    "MPaaSFramework": ["MPaaSLock", "MPaaSTime"],
    "MPaaSNetwork": ["MPaaSNetworkConditions", "MPaaSTOML", "MPaaSSupport", "CTunnel", "MPaaSToolSupport"],
    "MPaaSNetworkConditions": ["MPaaSTOML", "MPaaSSupport", "CTunnel", "MPaaSToolSupport"],
    "MPaaSPinyin": ["MPaaSLock", "MPaaSSupport", "CAtomicWord", "CPinyinData"],
    "RuntimeTableTool": ["MPaaSConfig", "MPaaSDeclarations", "MPaaSSupport"],
    "MPaaSModules": [
      "MPaaSTrust", "MPaaSTrustTools", "MPaaSTransfer", "MPaaSSymbols", "MPaaSTOML", "MPaaSDigests", "MPaaSSupport",
      "MPaaSArchive", "CFileTree", "MPaaSToolSupport",
    ],
    "MPaaSTOML": ["MPaaSSupport"],
    "MPaaSHotpatch": [
      "MPaaSVerification", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime", "CLua", "CHotpatchClient",
    ],
    "MPaaSHotpatchTools": [
      "MPaaSArchive", "MPaaSHotpatch", "MPaaSTrust", "MPaaSTrustTools", "MPaaSDigests", "MPaaSSupport", "MPaaSTime",
      "CLua", "MPaaSToolSupport",
    ],
    "MPaaSAge": ["MPaaSSupport"],
    "MPaaSVerification": ["MPaaSAge", "MPaaSTransfer", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime"],
    "MPaaSTrust": ["MPaaSVerification", "MPaaSSupport"],
    "MPaaSTrustTools": [
      "MPaaSTrust", "MPaaSTransfer", "MPaaSDigests", "MPaaSSupport", "MPaaSToolSupport", "MPaaSTransferTools",
    ],
    "MPaaSTerminal": ["MPaaSSupport", "MPaaSToolSupport"],
    "MPaaSCrash": [
      "MPaaSArchive", "MPaaSSymbols", "MPaaSSupport", "CUnwind", "CTrace", "CLibunwind", "MPaaSCrashReport",
      "MPaaSToolSupport",
    ],
    "MPaaSSymbols": [
      "MPaaSTransfer", "MPaaSSupport", "MPaaSArchive", "CCompression", "CDemangle", "CLibZ", "CLibLZMA", "CLibZstd",
      "MPaaSTransferTools",
    ],
    "MPaaSTransfer": ["MPaaSSQLite", "MPaaSDigests", "MPaaSLock", "MPaaSSupport", "MPaaSTime", "CCurl"],
    "MPaaSTransferTools": ["MPaaSTransfer", "MPaaSSupport", "CCurl"],
    "MPaaSHTTPServer": ["MPaaSSupport", "CMicroHTTP", "MPaaSTransferTools"],
    "CrashReporter": ["CCrashHandler", "MPaaSLock", "MPaaSTime", "MPaaSBase", "MPaaSCrashReport"],
    "MPaaSArchive": ["MPaaSSupport", "CArchive"],
    "MPaaSDeltas": ["MPaaSSupport", "CLibZstd"],
    "MPaaSDigests": ["MPaaSSupport"],
    "MPaaSCrashReport": ["MPaaSBase"],
    "MPaaSToolSupport": ["MPaaSLock", "MPaaSSupport"],
    "MPaaSBase": ["MPaaSLock"],
    "MPaaSSupport": ["MPaaSLock", "MPaaSBase"],
    "MPaaSLock": ["CAtomicWord"],
    "MPaaSTime": [],
  ].merging(commands.mapValues { $0.union(["CommandKit", "MPaaSTerminal", "MPaaSSupport"]) }) { $1 }

  /// The imports that the commands of each noun may import, beside what all of them do.
  static let commands: [String: Set<String>] = [
    "KitCommands": [
      "MPaaSArchive", "MPaaSCrash", "MPaaSDemo", "MPaaSKitUpdate", "MPaaSNetworkConditions", "MPaaSProtocol",
      "MPaaSSymbols", "MPaaSToolSupport", "MPaaSTransfer", "MPaaSTransferTools",
    ],
    "KeyCommands": ["MPaaSTrust", "MPaaSTrustTools", "MPaaSToolSupport"],
    "LogCommands": [
      "KeyCommands", "MPaaSLogReading", "MPaaSLogUpload", "MPaaSLogs", "MPaaSNetworkConditions", "MPaaSProtocol",
      "MPaaSTransfer", "MPaaSTrust", "MPaaSTrustTools", "MPaaSCrashReport", "MPaaSToolSupport", "MPaaSTransferTools",
      "MPaaSArchive",
    ],
    "CrashCommands": [
      "LogCommands", "ServingKit", "MPaaSCrash", "MPaaSLogReading", "MPaaSLogUpload",
      "MPaaSNetworkConditions", "MPaaSProtocol", "MPaaSSymbols", "MPaaSTransfer", "MPaaSCrashReport",
      "MPaaSToolSupport", "MPaaSTime",
    ],
    "ModuleCommands": [
      "KeyCommands", "ProjectCommands", "ServingKit", "MPaaSArchive", "MPaaSModules", "MPaaSProject", "MPaaSTransfer",
      "MPaaSTrust", "MPaaSTrustTools", "MPaaSToolSupport", "MPaaSTransferTools",
    ],
    "HotpatchCommands": [
      "KeyCommands", "MPaaSHotpatch", "MPaaSHotpatchTools", "MPaaSTrust", "MPaaSTrustTools", "MPaaSToolSupport",
    ],
    "NetworkCommands": ["NetworkServingKit", "MPaaSNetworkConditions", "MPaaSTransfer", "MPaaSToolSupport"],
    "PinyinCommands": ["PinyinServingKit", "MPaaSPinyin"],
    "DAOCommands": ["MPaaSDAO", "MPaaSDAOCompiler", "MPaaSDeclarations", "MPaaSProject", "MPaaSSQLite"],
    "ProjectCommands": [
      "KeyCommands", "MPaaSProject", "MPaaSTrust", "MPaaSTrustTools", "MPaaSToolSupport",
    ],
    "ServiceCommands": [
      "KeyCommands", "MPaaSAppServices", "MPaaSAppServicesTools", "MPaaSDeltas", "MPaaSDigests", "MPaaSHotpatch",
      "MPaaSHotpatchTools", "MPaaSTrust", "MPaaSTrustTools",
    ],
    "FlagCommands": ["MPaaSFlags", "MPaaSFlagTools"],
    "StorageCommands": ["MPaaSSQLite", "MPaaSStorage", "MPaaSStorageImport"],
    "CICommands": [
      "ModuleCommands", "ProjectCommands", "MPaaSModules", "MPaaSPipelines", "MPaaSProject", "MPaaSSymbols",
      "MPaaSTransfer",
    ],
    "ConfigCommands": [
      "MPaaSConfig", "MPaaSLanguages", "MPaaSProject", "MPaaSTheme", "MPaaSTransfer", "MPaaSToolSupport",
    ],
  ]

  /// Modules from outside, and shims of ours over libraries, by the targets that alone may know them.
  static let reserved: [String: Set<String>] = [
    "CArchive": ["MPaaSArchive"], "CExpat": ["MPaaSDAO"],
    "ArgumentParser": Set(commands.keys).union(["CommandKit", "MPaaSCommands"]),
    // Both are one on Apple's systems; only what no phone app has to link takes the copy and its extras there.
    "Crypto": [
      "MPaaSAge", "MPaaSDigests", "MPaaSVerification", "MPaaSTrust", "MPaaSTrustTools", "MPaaSHotpatchTools",
      "MPaaSLogs", "MPaaSLogReading", "MPaaSStorage", "MPaaSStorageImport", "MPaaSDAORuntime", "MPaaSSQLite",
    ],
    "CryptoKit": [
      "MPaaSAge", "MPaaSDigests", "MPaaSVerification", "MPaaSLogs", "MPaaSStorage", "MPaaSDAORuntime", "MPaaSSQLite",
    ],
    "Security": ["MPaaSVerification", "MPaaSStorage"],
    "CryptoExtras": [
      "MPaaSVerification", "MPaaSTrust", "MPaaSTrustTools", "MPaaSHotpatchTools", "MPaaSLogReading",
      "MPaaSStorageImport",
    ],
    "Hummingbird": ["MPaaSServer"], "HummingbirdCore": ["MPaaSServer"],
    "SwiftASN1": ["MPaaSTrustTools"],
    "Logging": ["MPaaSLogHandler", "MPaaSServer"],
    "TOMLKit": ["MPaaSTOML"],
    "NIOCore": ["MPaaSNetwork", "MPaaSServer"], "NIOPosix": ["MPaaSNetwork", "MPaaSServer"],
    "NIOHTTP1": ["MPaaSNetwork"], "NIOHTTP2": ["MPaaSNetwork"], "NIOSSL": ["MPaaSNetwork", "MPaaSServer"],
  ]

  struct Import: Sendable {
    let target: String
    let file: String
    let module: String
  }

  static let imports = PackageSource.all.flatMap { source in
    let target = String(source.file.prefix { $0 != "/" })
    return source.lines(with: ["import "]).compactMap { line -> Import? in
      var words = line.split(separator: " ").map(String.init)
      while let first = words.first, first.hasPrefix("@") || ["package", "public", "internal"].contains(first) {
        words.removeFirst()
      }
      guard words.first == "import", words.count >= 2 else { return nil }
      return Import(target: target, file: source.file, module: words[1])
    }
  }

  @Test("imports point downward only")
  func arrows() {
    let all = Self.imports
    #expect(all.count > 50)
    let ours = Set(Self.allowed.keys).union(Self.allowed.values.joined())
    for found in all where ours.contains(found.module) {
      let allowed = Self.allowed[found.target]
      #expect(allowed?.contains(found.module) == true, "\(found.file) must not import \(found.module)")
    }
  }

  @Test("each arrow that is allowed is one that is there")
  func unused() {
    let found = Dictionary(grouping: Self.imports, by: \.target).mapValues { Set($0.map(\.module)) }
    for (target, modules) in Self.allowed {
      // Link-time parts of what is imported need no import of their own.
      let missing = modules.subtracting(found[target] ?? []).filter { !$0.hasPrefix("C") || $0.hasSuffix("Commands") }
      #expect(missing == [], "\(target) imports none of these")
    }
  }

  @Test("a module from outside is known only to the target that it is for")
  func reservedModules() {
    for found in Self.imports {
      if let owners = Self.reserved[found.module] {
        #expect(owners.contains(found.target), "\(found.file) must not import \(found.module)")
      }
    }
  }

  @Test("Foundation comes in as FoundationEssentials, so that the command stays small")
  func essentials() {
    let whole = Set(Self.imports.filter { $0.module == "Foundation" }.map(\.file))
    // What is for Objective-C is compiled for Apple's systems alone, which have no other Foundation.
    for source in PackageSource.all where whole.contains(source.file) && !source.has(["#if canImport(ObjectiveC)\n"]) {
      #expect(source.has(["#if canImport(FoundationEssentials)"]), "\(source.file) imports all of Foundation")
    }
  }

  @Test("an entry point holds wiring only, under 60 lines")
  func entryPoints() throws {
    let text = try String(contentsOf: Fixture.package.appending(path: "Sources/mpaas/main.swift"), encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count < 60)
  }

  @Test("only the terminal and the entry points print")
  func printing() {
    for source in PackageSource.all where source.file.hasPrefix("MPaaS") || source.isOfCommands {
      // A printer of names has a `print` of its own.
      guard !source.file.hasPrefix("MPaaSTerminal"), !source.has(["func print("]),
        !source.file.contains("Demangle/RustName")
      else { continue }
      for line in source.lines(with: ["print("]) {
        let code = line.drop { $0 == " " }
        #expect(!code.hasPrefix("print("), "\(source.file) prints: \(code)")
      }
    }
  }
}
