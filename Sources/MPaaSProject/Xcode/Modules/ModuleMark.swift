import MPaaSSupport

/// The mark by which a setting of the user's takes up what the modules need: `$(MPAAS_OTHER_LDFLAGS)`.
enum ModuleMark {
  private static let inherited = "$(inherited)"

  static func added(_ name: String, to old: PBXValue?) -> PBXValue {
    let mark = "$(\(name))"
    switch old {
    case .array(let values): return values.contains(.string(mark)) ? .array(values) : .array(values + [.string(mark)])
    case .string(let text):
      if SettingWords.split(text).contains(mark) { return .string(text) }
      // Behind it would look as if all of it were ours.
      return .string(text.isEmpty ? mark : text == inherited ? mark + " " + text : text + " " + mark)
    default: return .string(inherited + " " + mark)
    }
  }

  /// The value before the mark was added.
  static func removed(_ name: String, from old: PBXValue?) -> PBXValue? {
    let mark = "$(\(name))"
    switch old {
    case .array(let values): return .array(values.filter { $0 != .string(mark) })
    case .string(let text):
      if text == inherited + " " + mark { return nil }
      if text == mark { return "" }
      if text.hasSuffix(" " + mark) { return .string(String(text.dropLast(mark.count + 1))) }
      if text.hasPrefix(mark + " ") { return .string(String(text.dropFirst(mark.count + 1))) }
      let words = SettingWords.split(text)
      return words.contains(mark) ? .string(words.filter { $0 != mark }.joined(separator: " ")) : old
    default: return old
    }
  }
}

/// Tells whether an `.xcconfig` includes that of the modules.
enum ModuleInclude {
  /// - Parameter depth: How many files may include each other.
  static func includes(_ file: String, moduleFolder: String, depth: Int = 8) -> Bool {
    let folder = PathWords.folder(file)
    if PathWords.last(folder) == PathWords.last(moduleFolder) { return true }
    guard depth > 0, let bytes = try? Bytes.reading(file, limit: 1 << 20).array else { return false }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).contains { line in
      let words = line.drop { $0 == " " || $0 == "\t" }
      guard words.hasPrefix("#include"), let start = words.firstIndex(of: "\""), let end = words.lastIndex(of: "\""),
        start < end
      else { return false }
      let path = String(words[words.index(after: start)..<end])
      return includes(PathWords.joined(folder, path), moduleFolder: moduleFolder, depth: depth - 1)
    }
  }
}

/// Tells whether frameworks are loaded when a program starts, and have to lie in it.
enum DynamicLibrary {
  /// - Parameter path: A `.framework` or `.xcframework`.
  static func isDynamic(at path: String) -> Bool {
    if path.hasSuffix(".xcframework") {
      return ((try? FileSystem.names(in: path)) ?? []).sorted().contains { slice in
        let folder = path + "/" + slice
        return ((try? FileSystem.names(in: folder)) ?? []).contains { name in
          name.hasSuffix(".dylib") || name.hasSuffix(".framework") && isDynamic(at: folder + "/" + name)
        }
      }
    }
    let name = PathWords.last(path).dropLast(".framework".count)
    guard let bytes = try? Bytes.mapping("\(path)/\(name)") else { return false }
    return withExtendedLifetime(bytes) { isDynamic(bytes.buffer, at: 0, isPart: false) }
  }

  /// Reads the kind of file from a Mach-O header, of a universal file from the first part's.
  ///
  /// - Source: `mach-o/loader.h`, `mach-o/fat.h`.
  private static func isDynamic(_ file: UnsafeRawBufferPointer, at start: Int, isPart: Bool) -> Bool {
    func word(_ offset: Int, isBig: Bool) -> UInt32? {
      guard start <= file.count - offset - 4 else { return nil }
      let value = file.loadUnaligned(fromByteOffset: start + offset, as: UInt32.self)
      return isBig ? UInt32(bigEndian: value) : UInt32(littleEndian: value)
    }
    guard let magic = word(0, isBig: true) else { return false }
    switch magic {
    // MH_DYLIB is 6; the kind of file stands at 12.
    case 0xcffa_edfe, 0xcefa_edfe: return word(12, isBig: false) == 6
    case 0xfeed_facf, 0xfeed_face: return word(12, isBig: true) == 6
    case 0xcafe_babe where !isPart:
      return word(16, isBig: true).map { isDynamic(file, at: Int($0), isPart: true) } ?? false
    case 0xcafe_babf where !isPart:
      return word(20, isBig: true).map { isDynamic(file, at: Int($0), isPart: true) } ?? false
    default: return false
    }
  }
}
