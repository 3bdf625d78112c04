import MPaaSModules
import MPaaSSupport
import MPaaSSymbols

extension ModuleArchiveCheck {
  /// Holds what the code is for against the systems that `module.toml` claims.
  mutating func checkCode(_ code: CodeInArchive, in listing: ArchiveListing) {
    let contents = manifest.contents
    for path in contents.frameworks where listing.isFolder(path) {
      let binary = CodeInArchive.binary(path)
      if listing.isFile(binary) {
        check(binary, code, in: listing)
      } else {
        note(.error, .binaryMissing, path, ["binary": FileSystem.name(of: binary)])
      }
    }
    for path in contents.libraries where listing.isFile(path) && !path.hasSuffix(".tbd") {
      check(path, code, in: listing)
    }
    for path in contents.xcframeworks where listing.isFolder(path) { checkSlices(of: path, code, in: listing) }
    let hasCode = !(contents.frameworks + contents.xcframeworks + contents.libraries).isEmpty
    if hasCode, manifest.platforms.isEmpty { note(.warning, .platformsMissing, "platforms") }
  }

  /// The targets of a binary; nil, with a finding, where it is no code.
  private mutating func targets(_ path: String, _ code: CodeInArchive, in listing: ArchiveListing) -> Set<CodeTarget>? {
    switch listing.resolved(path).flatMap({ code.code[$0] }) {
    case .targets(let targets) where !targets.isEmpty: return targets
    case .unreadable(let reason):
      note(.error, .binaryUnreadable, path, ["reason": reason])
      return nil
    default:
      note(.error, .binaryUnreadable, path, ["reason": "no-code"])
      return nil
    }
  }

  private mutating func check(_ path: String, _ code: CodeInArchive, in listing: ArchiveListing) {
    guard let targets = targets(path, code, in: listing), !manifest.platforms.isEmpty else { return }
    let claimed = manifest.platforms.keys.sorted()
    let served = claimed.filter { platform in targets.contains { platform.runs($0) } }
    guard served.isEmpty else {
      for platform in served { checkMinimum(path, targets, platform) }
      return
    }
    let values = [
      "found": targets.map(\.shown).sorted().joined(separator: ", "),
      "wanted": claimed.map(\.rawValue).joined(separator: ", "),
    ]
    // The right processor of another system is told apart: of a simulator most often.
    let isProcessor = claimed.contains { platform in targets.contains { platform.hasProcessor(of: $0) } }
    note(.error, isProcessor ? .platform : .architecture, path, values)
  }

  /// Compares what the code was built for with the oldest version that `module.toml` claims.
  private mutating func checkMinimum(_ path: String, _ targets: Set<CodeTarget>, _ platform: ModulePlatform) {
    let minimums = targets.filter { platform.runs($0) }.compactMap { $0.build?.minimumNumbers }
    guard let claimed = manifest.platforms[platform],
      let highest = minimums.map({ ModuleVersion(numbers: $0) }).max(), highest > claimed
    else { return }
    note(
      .error, .minimum, path,
      ["platform": platform.rawValue, "found": highest.text, "claimed": claimed.text])
  }

  /// An XCFramework: every library that its list names is there and is what the list says.
  private mutating func checkSlices(of path: String, _ code: CodeInArchive, in listing: ArchiveListing) {
    guard let list = code.lists[path] ?? nil else {
      note(.error, .sliceList, path)
      return
    }
    for slice in list.slices {
      let binary = CodeInArchive.binary(path + "/" + slice.path)
      guard listing.isFile(binary) else {
        note(.error, .sliceMissing, path, ["slice": slice.path])
        continue
      }
      guard let targets = targets(binary, code, in: listing) else { continue }
      let missing = Set(slice.architectures).subtracting(targets.map(\.architecture))
      if !missing.isEmpty {
        note(.error, .sliceArchitecture, binary, ["missing": missing.sorted().joined(separator: ", ")])
      }
      guard let platform = slice.device, manifest.platforms[platform] != nil else { continue }
      if targets.contains(where: { platform.runs($0) }) {
        checkMinimum(binary, targets, platform)
      } else {
        let found = targets.map(\.shown).sorted().joined(separator: ", ")
        note(.error, .platform, binary, ["found": found, "wanted": platform.rawValue])
      }
    }
    let claimed = manifest.platforms.keys.filter(\.isApple).sorted()
    let absent = claimed.filter { platform in !list.slices.contains { $0.device == platform } }
    // One of several systems may have the code in another way.
    for platform in absent {
      note(absent.count == claimed.count ? .error : .warning, .slicePlatform, path, ["platform": platform.rawValue])
    }
  }
}
