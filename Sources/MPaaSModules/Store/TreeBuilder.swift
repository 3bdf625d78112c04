import CFileTree
import MPaaSDigests
import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Builds the tree of a module in an empty folder, out of the store's files.
///
/// No file is one with the store's, so that writing to it reaches no other, and each is read after it was made:
/// what is handed out has the content that the module's list tells.
struct TreeBuilder: ~Copyable {
  private let tree: OpenFile
  private let store: OpenFile
  private let storePath: String
  private let module: StoredModule
  private var folders: Set<ExactName> = []
  private var lastFolder: ExactName = ""
  private let isWritable: Bool
  /// Set to false once the file system could not clone.
  private var clones = true
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)

  /// The way in which the files got there.
  var way: Placement.Way { clones ? .clone : isWritable ? .copy : .readOnlyCopy }

  init(
    _ module: StoredModule, in folder: String, from files: String, isWritable: Bool
  ) throws(ModuleError) {
    storePath = files
    self.module = module
    self.isWritable = isWritable
    let tree = try withFileErrors { () throws(FileError) in try OpenFile(folder, .folder) }
    let store = try withFileErrors { () throws(FileError) in try OpenFile(files, .folder) }
    self.tree = tree
    self.store = store
  }

  deinit {
    buffer.deallocate()
  }

  /// Makes all, and says what the marker has to tell.
  ///
  /// - Throws: `ModuleError` `module-store-damaged` where the store's file is another, or is not there.
  mutating func build(_ contents: StoredContents) throws(ModuleError) -> (Fingerprint, [PlacedFolder.File]) {
    var fingerprint = Fingerprint()
    var placed: [PlacedFolder.File] = []
    placed.reserveCapacity(contents.files.count + contents.links.count)
    for folder in contents.folders { try make(ExactName(folder)) }
    for file in contents.files {
      try makeFolder(of: file.path)
      try place(file)
      placed.append(try record(file.path, file.sha256, &fingerprint))
    }
    for link in contents.links {
      try makeFolder(of: link.path)
      guard symlinkat(link.target, tree.descriptor, link.path) == 0 else {
        throw ModuleError(FileError.last(.create, link.path))
      }
      placed.append(try record(link.path, "->" + link.target, &fingerprint))
    }
    for folder in folders {
      var status = stat()
      guard fstatat(tree.descriptor, folder.text, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        throw ModuleError(FileError.last(.open, folder.text))
      }
      Self.add(folder.text, status, &fingerprint)
    }
    return (fingerprint, placed)
  }

  private func record(
    _ path: String, _ content: String, _ fingerprint: inout Fingerprint
  ) throws(ModuleError) -> PlacedFolder.File {
    var status = stat()
    guard fstatat(tree.descriptor, path, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw ModuleError(FileError.last(.open, path))
    }
    Self.add(path, status, &fingerprint)
    return PlacedFolder.File(path: path, status: Identity(status), content: content)
  }

  private static func add(_ path: String, _ status: stat, _ fingerprint: inout Fingerprint) {
    var path = path
    path.withUTF8 { fingerprint.add($0, status) }
  }

  private mutating func makeFolder(of path: String) throws(ModuleError) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
    let folder = ExactName(String(path[..<slash]))
    // Sorted paths: the next file is mostly in the same folder.
    if folder == lastFolder { return }
    try make(folder)
    lastFolder = folder
  }

  private mutating func make(_ folder: ExactName) throws(ModuleError) {
    guard folders.insert(folder).inserted else { return }
    if let slash = folder.text.utf8.lastIndex(of: UInt8(ascii: "/")) {
      try make(ExactName(String(folder.text[..<slash])))
    }
    guard mkdirat(tree.descriptor, folder.text, 0o755) == 0 else {
      throw ModuleError(FileError.last(.create, folder.text))
    }
  }

  private mutating func place(_ file: StoredContents.File) throws(ModuleError) {
    let source = storePath + "/" + file.place
    let descriptor = openat(store.descriptor, file.place, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ELOOP { throw damaged(source) }
      throw ModuleError(FileError.last(.open, source))
    }
    let input = OpenFile(descriptor: descriptor, path: source)
    guard let status = input.status, status.kind == .file, status.size == file.size else { throw damaged(source) }
    let output = try make(file, from: input)
    guard try digest(output) == file.sha256 else { throw damaged(source) }
  }

  /// Makes a file with the content of an open one.
  private mutating func make(
    _ file: StoredContents.File, from input: borrowing OpenFile
  ) throws(ModuleError) -> OpenFile {
    let mode: UInt16 = (isWritable ? 0o644 : 0o444) | (file.isExecutable ? 0o111 : 0)
    #if canImport(Darwin)
      if clones {
        let isCloned = fclonefileat(input.descriptor, tree.descriptor, file.path, 0) == 0
        let descriptor = isCloned ? openat(tree.descriptor, file.path, O_RDONLY | O_CLOEXEC) : -1
        if descriptor >= 0 {
          let output = OpenFile(descriptor: descriptor, path: file.path)
          output.permit(mode)
          return output
        }
        clones = false
      }
    #endif
    let descriptor = openat(tree.descriptor, file.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
    guard descriptor >= 0 else { throw ModuleError(FileError.last(.create, file.path)) }
    let output = OpenFile(descriptor: descriptor, path: file.path)
    if clones, mp_files_clone(input.descriptor, output.descriptor) == 0 { return output }
    clones = false
    do throws(FileError) {
      try FolderTree.copy(input.descriptor, output.descriptor, size: file.size, file.path)
    } catch {
      throw ModuleError(error)
    }
    return output
  }

  private func digest(_ file: borrowing OpenFile) throws(ModuleError) -> String {
    do throws(FileError) {
      return try DigestAlgorithm.sha256.digest(of: file, through: buffer).value.hexadecimal
    } catch {
      throw ModuleError(FileError(.read, storePath, error.code))
    }
  }

  private func damaged(_ path: String) -> ModuleError {
    ModuleError(.storeDamaged, ["name": module.name, "path": path], at: .file(path))
  }
}
