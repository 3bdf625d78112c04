package import MPaaSSupport

/// A registry and what is asked of it in one JSON file, as tests and reports of errors bring it.
///
/// `{"root":{name:range},"packages":{name:{version:{name:range}}}}`. A root or a dependency may be an object with
/// `version`, `platforms` and `optional` instead of a range. A version may be an object with `dependencies`, `conflicts`
/// (name to range), `platforms` (system to version) and `yanked` (true or a reason) instead of its dependencies. Beside
/// `root` may stand `locked` and `preferred` (name to version), `wanted` (name to names), `platform` and `minimum`.
package struct ResolverFile {
  package private(set) var input: ResolverInput

  private let file: String

  /// - Parameter file: What errors name.
  /// - Throws: `.resolverNameTwice`; `.resolverFileMalformed` with the place, or the path of members that leads there.
  package init(reading bytes: UnsafeRawBufferPointer, file: String) throws(ModuleError) {
    self.file = file
    input = ResolverInput(roots: []) { _ in nil }
    let value: JSONValue
    do {
      value = try JSONValue(reading: bytes)
    } catch {
      throw ModuleError(
        .resolverFileMalformed, ["file": file, "reason": error.code.rawValue],
        at: .text(file: file, line: error.line, column: error.column))
    }
    if let twice = JSONSkim.nameTwice(in: bytes) {
      throw ModuleError(
        .resolverNameTwice, ["file": file, "name": twice.name],
        at: .text(file: file, line: twice.line, column: twice.column))
    }
    guard let top = value.object else { throw fault("", "object") }
    var requirements: [String: VersionRequirement] = [:]
    input.roots = try dependencies(top["root"] ?? .null, "root", &requirements)
    input.locked = try versions(top["locked"], "locked")
    input.preferred = try versions(top["preferred"], "preferred")
    try readProject(top)
    let indexes = try modules(top["packages"] ?? .null, &requirements)
    input.index = { indexes[$0] }
    input.names = indexes.keys.sorted()
  }

  private func fault(_ path: String, _ expected: String) -> ModuleError {
    ModuleError(
      .resolverFileMalformed, ["file": file, "reason": "\(path.isEmpty ? "$" : path): \(expected)"], at: .file(file))
  }

  private mutating func readProject(_ top: JSONValue.Object) throws(ModuleError) {
    if let platform = top["platform"] {
      guard let known = platform.string.flatMap(ModulePlatform.init) else { throw fault("platform", "platform") }
      input.platform = known
    }
    if let minimum = top["minimum"] { input.minimum = try version(minimum, "minimum") }
    guard let wanted = top["wanted"] else { return }
    guard let members = wanted.object else { throw fault("wanted", "object") }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let names = value.array, names.allSatisfy({ $0.string != nil }) else {
        throw fault("wanted.\(name)", "array")
      }
      input.wanted[name] = Set(names.compactMap(\.string))
    }
  }

  private func version(_ value: JSONValue, _ path: @autoclosure () -> String) throws(ModuleError) -> ModuleVersion {
    guard let version = value.string.flatMap(ModuleVersion.init) else { throw fault(path(), "version") }
    return version
  }

  private func versions(_ value: JSONValue?, _ path: String) throws(ModuleError) -> [String: ModuleVersion] {
    guard let value else { return [:] }
    guard let members = value.object else { throw fault(path, "object") }
    var versions: [String: ModuleVersion] = [:]
    for (name, value) in members { versions[name] = try version(value, "\(path).\(name)") }
    return versions
  }

  private func requirement(
    _ value: JSONValue, _ path: @autoclosure () -> String, _ known: inout [String: VersionRequirement]
  ) throws(ModuleError) -> VersionRequirement {
    guard let text = value.string else { throw fault(path(), "range") }
    if let requirement = known[text] { return requirement }
    guard let requirement = VersionRequirement(text) else { throw fault(path(), "range \(text)") }
    known[text] = requirement
    return requirement
  }

  /// Sorted by name, as members of an object have no order.
  private func dependencies(
    _ value: JSONValue, _ path: @autoclosure () -> String, _ known: inout [String: VersionRequirement]
  ) throws(ModuleError) -> [ModuleDependency] {
    guard let members = value.object else { throw fault(path(), "object") }
    var result: [ModuleDependency] = []
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let members = value.object else {
        result.append(ModuleDependency(name, try requirement(value, "\(path()).\(name)", &known)))
        continue
      }
      let version = try requirement(members["version"] ?? "*", "\(path()).\(name).version", &known)
      var platforms: Set<ModulePlatform> = []
      for platform in members["platforms"]?.array ?? [] {
        guard let platform = platform.string.flatMap(ModulePlatform.init) else {
          throw fault("\(path()).\(name).platforms", "platform")
        }
        platforms.insert(platform)
      }
      result.append(
        ModuleDependency(name, version, platforms: platforms, isOptional: members["optional"]?.bool ?? false))
    }
    return result
  }

  private func modules(
    _ value: JSONValue, _ known: inout [String: VersionRequirement]
  ) throws(ModuleError) -> [String: ModuleIndex] {
    guard let members = value.object else { throw fault("packages", "object") }
    var indexes: [String: ModuleIndex] = [:]
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let versions = value.object else { throw fault("packages.\(name)", "object") }
      // Sorted before releases are made of them, which are large.
      var sorted: [(version: ModuleVersion, value: JSONValue)] = []
      for (text, value) in versions {
        sorted.append((try version(.string(text), "packages.\(name).\(text)"), value))
      }
      sorted.sort { $0.version > $1.version }
      // 1.0 and 1.0.0 are one version.
      for (one, other) in zip(sorted, sorted.dropFirst()) where one.version == other.version {
        throw ModuleError(.resolverNameTwice, ["file": file, "name": "\(name) \(other.version)"], at: .file(file))
      }
      var releases: [ModuleRelease] = []
      releases.reserveCapacity(sorted.count)
      for (version, value) in sorted {
        releases.append(try release(name, version, value, "packages.\(name).\(version)", &known))
      }
      indexes[name] = ModuleIndex(name: name, releases: releases)
    }
    return indexes
  }

  private func release(
    _ name: String, _ version: ModuleVersion, _ value: JSONValue, _ path: @autoclosure () -> String,
    _ known: inout [String: VersionRequirement]
  ) throws(ModuleError) -> ModuleRelease {
    guard let members = value.object else { throw fault(path(), "object") }
    var release = ModuleRelease(
      manifest: ModuleManifest(name: name, version: version),
      archive: ModuleArchiveFile(name: "", size: 0, sha256: "", unpackedSize: 0, fileCount: 0), released: 0)
    // Strings alone are ranges; most versions have nothing else.
    let isShort = members.values.allSatisfy { $0.string != nil }
    let isLong =
      !isShort
      && (members["dependencies"]?.object != nil || members["conflicts"]?.object != nil
        || members["platforms"]?.object != nil || members["yanked"]?.bool != nil)
    guard isLong else {
      release.manifest.dependencies = try dependencies(value, path(), &known)
      return release
    }
    if let value = members["dependencies"] { release.manifest.dependencies = try dependencies(value, path(), &known) }
    if let value = members["conflicts"] {
      release.manifest.conflicts = try dependencies(value, path(), &known).map {
        ModuleConflict($0.name, $0.requirement)
      }
    }
    for (system, value) in members["platforms"]?.object ?? [:] {
      guard let platform = ModulePlatform(rawValue: system) else { throw fault("\(path()).platforms", "platform") }
      release.manifest.platforms[platform] = try self.version(value, "\(path()).platforms.\(system)")
    }
    release.yanked = members["yanked"].flatMap { $0.string ?? ($0.bool == true ? "" : nil) }
    return release
  }
}

extension ModuleError.Code {
  /// A file for `mpaas sdk resolve` in which a module, a version or another name stands twice.
  package static var resolverNameTwice: Self { malformed("resolver-name-twice") }
  /// A file for `mpaas sdk resolve` that is not the registry it should be.
  package static var resolverFileMalformed: Self { malformed("resolver-file-malformed") }
}
