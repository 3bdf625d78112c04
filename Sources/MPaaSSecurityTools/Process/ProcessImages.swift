import CUnwind
import MPaaSSupport
import MPaaSSymbols

/// The images of a process with their files, and which of them the executable is linked with.
struct ProcessImages {
  struct Image {
    let path: String
    let base: UInt64
    let end: UInt64
    let bias: UInt64
    let isDeleted: Bool
    let isVDSO: Bool
    /// The file, as far as it is there and is one.
    let file: ELFImage?
    var isLinked = false

    var name: Substring { path.split(separator: "/").last ?? "" }
    func contains(_ address: UInt64) -> Bool { address >= base && address < end }
  }

  private(set) var images: [Image] = []
  /// The index of the executable; nil where it could not be told.
  private var main: Int?
  /// The folders of the app: the executable's, and those of libraries beside a folder `bin`.
  private let folders: [String]

  /// - Parameter root: The folder that the process' paths begin at, as `/proc/PID/root`.
  init(process: Int32, memory: ProcessMemory, root: String) {
    let executable = (try? FileSystem.target(ofLink: "/proc/\(process)/exe")) ?? ""
    let path = executable.hasSuffix(" (deleted)") ? String(executable.dropLast(10)) : executable
    folders = Self.folders(of: FileSystem.folder(of: path))
    images = Self.list(process, memory, root)
    main = images.firstIndex { $0.path == path }
    markLinked()
  }

  private static func folders(of executable: String) -> [String] {
    guard executable.utf8.count > 1 else { return [] }
    let libraries = executable.hasSuffix("/bin") ? ["lib/", "lib64/", "libexec/"] : []
    return [executable + "/"] + libraries.map { executable.dropLast(3) + $0 }
  }

  private static func list(_ process: Int32, _ memory: ProcessMemory, _ root: String) -> [Image] {
    let capacity = 4096
    let list = UnsafeMutablePointer<mp_image>.allocate(capacity: capacity)
    let paths = UnsafeMutablePointer<CChar>.allocate(capacity: capacity * 160)
    defer {
      list.deallocate()
      paths.deallocate()
    }
    list.initialize(repeating: mp_image(), count: capacity)
    var table = mp_images()
    table.images = list
    table.capacity = capacity
    table.paths = paths
    table.paths_capacity = capacity * 160
    var reader = memory.reader
    guard mp_images_from_maps("/proc/\(process)/maps", &reader, &table) == 0 else { return [] }
    return (0..<table.count).compactMap { index in
      let image = table.images[index]
      guard !image.is_anonymous else { return nil }
      let path = String(cString: image.path)
      let bytes = image.is_vdso || image.is_deleted ? nil : try? Bytes.mapping(root + path)
      return Image(
        path: path, base: image.base, end: image.end, bias: image.bias, isDeleted: image.is_deleted,
        isVDSO: image.is_vdso, file: bytes.flatMap { try? ELFImage($0) })
    }
  }

  /// Follows the names that files need, from the executable on.
  private mutating func markLinked() {
    guard let main else { return }
    var byName: [Substring: Int] = [:]
    for (index, image) in images.enumerated().reversed() {
      byName[image.name] = index
      if let soname = image.file?.dynamic?.soname { byName[soname[...]] = index }
    }
    var waiting = [main]
    images[main].isLinked = true
    while let next = waiting.popLast() {
      // The interpreter that loads all is no less expected.
      let interpreter = images[next].file?.contents(named: ".interp").map { String(utf8: $0.buffer) } ?? ""
      let names = (images[next].file?.dynamic?.needed ?? []) + [interpreter.filter { $0 != "\0" }]
      for name in names {
        guard let found = byName[name.split(separator: "/").last ?? ""], !images[found].isLinked else { continue }
        images[found].isLinked = true
        waiting.append(found)
      }
    }
  }

  func image(at address: UInt64) -> Image? { images.first { $0.contains(address) } }

  /// The folders that the system's libraries lie in.
  private static let systemFolders = [
    "/usr/lib/", "/usr/lib64/", "/lib/", "/lib64/", "/system/", "/apex/", "/nix/store/",
  ]

  /// Tells whether code of a file is expected: the executable, what it is linked with, the system's, the app's folder.
  func isOwn(_ path: String, allowed: [String]) -> Bool {
    if images.contains(where: { $0.path == path && $0.isLinked }) { return true }
    if isAllowed(path, allowed) || Self.systemFolders.contains(where: { path.hasPrefix($0) }) { return true }
    return folders.contains { path.hasPrefix($0) }
  }

  func isAllowed(_ path: String, _ allowed: [String]) -> Bool {
    allowed.contains { name in
      name.hasSuffix("/") ? path.hasPrefix(name) : path == name || path.split(separator: "/").last == name[...]
    }
  }
}
