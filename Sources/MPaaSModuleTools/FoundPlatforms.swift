import MPaaSModules
import MPaaSSupport
import MPaaSSymbols

/// The systems that the binaries of a folder are built for.
struct FoundPlatforms {
  /// The newest of the oldest versions that the binaries run on; 0 where the code does not say.
  private(set) var minimums: [ModulePlatform: ModuleVersion] = [:]

  init(of contents: ModuleContents, in folder: String) {
    for path in contents.frameworks + contents.libraries where !path.hasSuffix(".tbd") {
      add("\(folder)/\(CodeInArchive.binary(path))")
    }
    for path in contents.xcframeworks {
      let list = (try? Bytes.reading("\(folder)/\(path)/Info.plist", limit: 1 << 20)).flatMap { XCFrameworkList($0) }
      for slice in list?.slices ?? [] { add("\(folder)/\(path)/\(CodeInArchive.binary(slice.path))") }
    }
  }

  private mutating func add(_ file: String) {
    guard let bytes = try? Bytes.mapping(file), let targets = try? CodeTarget.all(in: bytes) else { return }
    for target in targets {
      // ELF does not say whether it is Linux's, Android's or HarmonyOS's: the command's own system is taken.
      let platform =
        target.format == .elf ? .linux : ModulePlatform.allCases.first { target.build != nil && $0.runs(target) }
      guard let platform else { continue }
      let minimum = ModuleVersion(numbers: target.build?.minimumNumbers ?? [0])
      minimums[platform] = max(minimums[platform] ?? minimum, minimum)
    }
  }
}
