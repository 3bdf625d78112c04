import MPaaSModules
import MPaaSProtocol

extension ModuleWish {
  /// The most modules that may be asked for.
  private static let most = 500

  /// The manifest of an app that wishes it.
  ///
  /// - Throws: `server-bad-request` with the member that cannot be; `ModuleError` `project-name-case`.
  func manifest() throws -> ProjectManifest {
    var manifest = ProjectManifest(file: ProjectManifest.fileName)
    if let platform, !platform.isEmpty {
      guard let known = ModulePlatform(rawValue: platform) else { throw Self.wrong("platform") }
      manifest.platform = known
    }
    if let minimum, !minimum.isEmpty {
      guard let version = ModuleVersion(minimum) else { throw Self.wrong("minimum") }
      manifest.minimum = version
    }
    guard modules.count <= Self.most else { throw Self.wrong("modules") }
    for (name, asked) in modules.sorted(by: { $0.key < $1.key }) {
      guard ModuleName.isValid(name) else { throw Self.wrong("modules.\(name.prefix(100))") }
      manifest.modules.append(try asked.module(name))
    }
    // All that reading a manifest checks is checked so, and what is kept can be read.
    return try ProjectManifest(reading: manifest.text, file: ProjectManifest.fileName)
  }

  fileprivate static func wrong(_ member: String) -> Refusal { Refusal(.badRequest, ["reason": member]) }
}

extension AskedModule {
  fileprivate func module(_ name: String) throws -> ProjectModule {
    guard version.utf8.count <= 200, let requirement = VersionRequirement(version) else {
      throw ModuleWish.wrong("modules.\(name).version")
    }
    if let registry, !Registry.isName(registry) { throw ModuleWish.wrong("modules.\(name).registry") }
    let options = with ?? []
    guard options.count <= 100, options.allSatisfy(ModuleName.isValid) else {
      throw ModuleWish.wrong("modules.\(name).with")
    }
    return ProjectModule(name, requirement, registry: registry, with: Set(options).sorted())
  }
}
