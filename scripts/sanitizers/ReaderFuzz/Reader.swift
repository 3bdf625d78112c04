import Glibc
import MPaaSAppPackage
import MPaaSCPD
import MPaaSDAO
import MPaaSProfile
import MPaaSScan
import MPaaSSecrets
import MPaaSStorage
import MPaaSSupport

/// A reader of outside bytes, and what commands do with the result.
enum Reader: String, CaseIterable {
  case image, archive, package, list, manifest, policy, rules, secrets, lexer, clones, dao, keyvalue, profile

  /// Reads bytes; whatever they are, it returns.
  func read(_ bytes: [UInt8]) {
    switch self {
    case .image: Self.scan(bytes, "image")
    case .archive: Self.scan(bytes, "App.ipa")
    case .package: _ = try? AppPackage(Bytes(bytes))
    case .list: Self.scan(bytes, "Info.plist")
    case .manifest: Self.scan(bytes, "AndroidManifest.xml")
    case .policy:
      _ = try? ScanPolicy(String(decoding: bytes, as: UTF8.self), file: "scan.toml")
      _ = try? ScanBaseline(Bytes(bytes), file: "baseline.json")
    case .rules: _ = try? SecretRuleFile.rules(of: String(decoding: bytes, as: UTF8.self), file: "rules.toml")
    case .secrets: _ = Self.secretScan?.findings(in: Bytes(bytes))
    case .lexer: Self.lex(bytes)
    case .clones: Self.clones(bytes)
    case .dao: Self.explain(bytes)
    case .keyvalue: Self.values(StoreBytes.file(bytes, in: Self.folder))
    case .profile: Self.profile(bytes)
    }
  }

  private static let folder: String = {
    let folder = "/dev/shm/mpaas-fuzz-\(getpid())"
    mkdir(folder, 0o700)
    return folder
  }()

  /// The path of a file in memory with these bytes.
  private static func file(_ bytes: [UInt8], _ name: String) -> String {
    let path = folder + "/" + name
    if let file = fopen(path, "w") {
      fwrite(bytes, 1, bytes.count, file)
      fclose(file)
    }
    return path
  }

  private static func scan(_ bytes: [UInt8], _ name: String) {
    guard let report = try? Scan().report(of: [file(bytes, name)]) else { return }
    for image in report.images { _ = image.json }
    _ = BillOfMaterials(report, ScanTool(version: "0", time: 0)).document(.cyclonedx)
  }

  private static let secretScan = try? SecretScan(SecretRules.builtIn(), path: "a.txt")

  private static func lex(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let languages = SourceLanguage.allCases
    let source = Array(bytes.dropFirst())
    let tokens = PositionedTokens(source, languages[Int(first) % languages.count], ignoresImports: first > 127)
    var last = 0
    for token in tokens.tokens where !token.isCut {
      precondition(token.start >= last && token.end > token.start && token.end <= source.count, "tokens out of order")
      last = token.end
      _ = tokens.text(token)
    }
  }

  private static let endings = ["swift", "m", "c", "cpp", "java", "kt", "js", "ts", "lua", "xml"]

  private static func clones(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let half = max(1, bytes.count / 2)
    let ending = endings[Int(first) % endings.count]
    let paths = [bytes[1..<half], bytes[half...]].enumerated().map { number, part in
      file(Array(part), "\(number).\(ending)")
    }
    guard let files = try? SourceTree().files(paths) else { return }
    var options = CloneOptions()
    options.minimumTokens = 5
    let report = CloneReport(files, options, processors: 1)
    let cache = ReportCache(folder: folder + "/cache")
    cache.keep(report, "k", files)
    precondition(cache.report("k", files) != nil, "a kept report is not read")
  }

  private static func explain(_ bytes: [UInt8]) {
    _ = DAOCheck.findings(bytes)
    guard let program = try? DAOProgram(reading: bytes) else { return }
    for method in program.document.methods {
      let arguments: [DAOValue] = method.arguments.indices.map { number in
        [.text("a'b"), .integer(3), .null, .list([.integer(1), .text("x")]), .dictionary(["a": .real(2.5)])][number % 5]
      }
      _ = try? program.explain(method.name, arguments)
    }
  }

  private static func values(_ bytes: [UInt8]) {
    guard let store = try? KeyValueStore(path: file(bytes, "values.mpkv")) else { return }
    let keys = (try? store.items())?.map(\.key)
    try? store.compact()
    precondition((try? store.items())?.map(\.key) == keys, "a compacted file has other keys")
    try? store.set("new", forKey: "key", business: "b")
    precondition((try? store.string(forKey: "key", business: "b")) == "new", "a new value is not read")
  }

  private static func profile(_ bytes: [UInt8]) {
    for format in [nil] + ProfileFormat.allCases.map(Optional.some) {
      let read = try? bytes.withUnsafeBytes { try Profile(reading: $0, file: "f", as: format) }
      guard let profile = read else { continue }
      _ = CallTree(profile, .bottomUp, byThread: true).lines(least: 0.01)
      for output in ProfileOutput.allCases { _ = try? output.bytes(profile) }
    }
  }
}
