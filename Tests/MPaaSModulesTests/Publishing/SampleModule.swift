import Foundation
import MPaaSArchive
import MPaaSModuleTools
import MPaaSModules
import MPaaSSupport
import MPaaSTestSupport

/// A folder with a module, which a test spoils as it likes.
struct SampleModule {
  static let toml = """
    [module]
    name = "CartKit"
    version = "2.1.0"
    summary = { en = "The cart.", zh-Hans = "购物车。" }
    license = "MIT"
    homepage = "https://example.com"
    [platforms]
    ios = "12.0"
    [notes]
    en = "Faster."
    zh-Hans = "更快。"
    [contents]
    frameworks = ["CartKit.framework"]
    bundles = ["Cart.bundle"]

    """

  let folder: TemporaryFolder
  var path: String { folder.path + "/module" }

  init() throws {
    folder = try TemporaryFolder()
    try write("module.toml", Self.toml)
    try write("LICENSE", "MIT")
    try write("CartKit.framework/CartKit", Self.machO())
    try write("CartKit.framework/Headers/CartKit.h", "// Cart")
    try write("Cart.bundle/图标.txt", "icon")
  }

  func write(_ path: String, _ text: String) throws { try write(path, Array(text.utf8)) }

  func write(_ path: String, _ bytes: [UInt8]) throws {
    let url = URL(filePath: self.path + "/" + path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  func replace(_ text: String, by other: String) throws {
    try write("module.toml", Self.toml.replacing(text, with: other))
  }

  func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: self.path + "/" + path) }

  func pack(_ format: ModuleArchive.Format = .tarZstandard) throws -> Bytes {
    let target = folder.path + "/out." + format.rawValue
    try ModuleArchive.pack(folder: path, to: target, format: format)
    return try Bytes.mapping(target)
  }

  func check(_ format: ModuleArchive.Format = .tarZstandard) throws -> ModuleArchiveCheck {
    try ModuleArchiveCheck(try pack(format), name: "cart." + format.rawValue)
  }

  /// An image with nothing but its header and what it was built for.
  ///
  /// - Parameters:
  ///   - processor: `cputype`: 0x0100000c for arm64, 0x01000007 for x86_64.
  ///   - platform: As `LC_BUILD_VERSION` numbers it; nil leaves the command out.
  ///   - minimum: The major version.
  static func machO(processor: UInt32 = 0x0100_000c, platform: UInt32? = 2, minimum: UInt32 = 12) -> [UInt8] {
    var words: [UInt32] = [0xfeed_facf, processor, 0, 6, 0, 0, 0x85, 0]
    if let platform {
      words[4] = 1
      words[5] = 24
      words += [0x32, 24, platform, minimum << 16, 16 << 16, 0]
    }
    return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) } }
  }
}
