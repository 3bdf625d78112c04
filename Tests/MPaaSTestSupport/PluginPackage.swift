public import Foundation

/// A package that uses a build plug-in of ours, beside a small kit of the parts that it needs: no network is asked for.
///
/// The plug-in's program is the one that this test run was built with, as an artifact bundle: to compile it once more
/// would take longer than all else.
public struct PluginPackage {
  private let folder: TemporaryFolder
  /// The folder of the package.
  public let app: URL

  /// Writes the package and the kit.
  ///
  /// - Parameters:
  ///   - plugin: The name of the plug-in, and of its folder.
  ///   - tool: The target that the plug-in names as its program, and the name of its product.
  ///   - library: The library that the package links.
  ///   - parts: The targets of the library, as items of a manifest's list, made by `part(_:_:_:)` for our own.
  ///   - target: The package's target, which is a program.
  ///   - files: Files of the target by their names; other than Swift is left out of the target.
  public init(
    plugin: String, tool: (target: String, product: String), library: String, parts: String, target: String,
    files: [String: String]
  ) throws {
    folder = try TemporaryFolder()
    app = folder.url.appending(path: "app")
    let kit = folder.url.appending(path: "kit")
    try Self.write(Self.kit(plugin, tool.target, library, parts), kit.appending(path: "Package.swift"))
    for part in ["Sources", "plugins"] {
      try FileManager.default.createSymbolicLink(
        at: kit.appending(path: part), withDestinationURL: Fixture.package.appending(path: part))
    }
    let bundle = kit.appending(path: "\(tool.target).artifactbundle")
    try Self.write(Self.bundle(tool.target), bundle.appending(path: "info.json"))
    try FileManager.default.copyItem(
      at: Command.products.appending(path: tool.product), to: bundle.appending(path: tool.target))
    let others = files.keys.filter { !$0.hasSuffix(".swift") }.sorted()
    try Self.write(Self.manifest(plugin, library, target, others), app.appending(path: "Package.swift"))
    for (name, text) in files { try write(text, to: name, of: target) }
  }

  /// Writes a file of the package's target.
  public func write(_ text: String, to name: String, of target: String) throws {
    try Self.write(text, app.appending(path: "Sources/\(target)/\(name)"))
  }

  /// The path of a file beside the package.
  public func path(_ name: String) -> String { folder.path + "/" + name }

  /// Builds the package.
  ///
  /// A build takes a minute and more; it waits on a thread of its own, so that other tests have those that they share.
  public func build() async throws -> Command.Outcome {
    let (arguments, directory) = (["build", "--scratch-path", path("build"), "--disable-sandbox"], app)
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try Command.run("swift", arguments, directory: directory) })
      }
    }
  }

  /// Runs the program that was built.
  public func run(_ target: String, _ arguments: [String] = []) throws -> Command.Outcome {
    try Command.run(path("build/debug/\(target)"), arguments)
  }

  private static func write(_ text: String, _ url: URL) throws {
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private static func kit(_ plugin: String, _ tool: String, _ library: String, _ parts: String) -> String {
    """
    // swift-tools-version: 6.1
    import PackageDescription
    let settings: [SwiftSetting] = [
      .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("InternalImportsByDefault"),
    ]
    func part(_ name: String, _ needs: [Target.Dependency] = [], exclude: [String] = []) -> Target {
      .target(name: name, dependencies: needs, exclude: exclude, swiftSettings: settings)
    }
    func archive(_ name: String) -> LinkerSetting { .linkedLibrary(":lib\\(name).a", .when(platforms: [.linux])) }
    let package = Package(
      name: "mpaaskit", platforms: [.macOS(.v15)],
      products: [
        .library(name: "\(library)", targets: ["\(library)"]), .plugin(name: "\(plugin)", targets: ["\(plugin)"]),
      ],
      targets: [
        \(parts)
        .binaryTarget(name: "\(tool)", path: "\(tool).artifactbundle"),
        .plugin(
          name: "\(plugin)", capability: .buildTool(), dependencies: ["\(tool)"], path: "plugins/\(plugin)"),
      ])
    """
  }

  private static func manifest(_ plugin: String, _ library: String, _ target: String, _ others: [String]) -> String {
    """
    // swift-tools-version: 6.1
    import PackageDescription
    let package = Package(
      name: "app", platforms: [.macOS(.v15)], dependencies: [.package(name: "mpaaskit", path: "../kit")],
      targets: [
        .executableTarget(
          name: "\(target)", dependencies: [.product(name: "\(library)", package: "mpaaskit")],
          exclude: \(others), plugins: [.plugin(name: "\(plugin)", package: "mpaaskit")])
      ])
    """
  }

  private static func bundle(_ tool: String) -> String {
    """
    {
      "schemaVersion": "1.0",
      "artifacts": {
        "\(tool)": {
          "version": "1.0.0", "type": "executable",
          "variants": [
            {
              "path": "\(tool)",
              "supportedTriples": [
                "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-apple-macosx", "arm64-apple-macosx"
              ]
            }
          ]
        }
      }
    }
    """
  }
}
