import MPaaSSupport
import MPaaSTime

extension KeyValueCore {
  /// Opens the file under a path with its lock held, and reads its header; a new one gets a header.
  static func attach(
    _ path: String, _ options: KeyValueOptions, _ folder: KeyValueFolder, _ isReadOnly: Bool
  ) throws(StorageError) -> (any KeyValueFile, KeyValueHeader) {
    let deadline = MonotonicInstant.now + options.lockDeadline
    while true {
      let file = try open(path, folder, isReadOnly)
      if isReadOnly { return (file, try header(of: file, path, options, isReadOnly)) }
      let isLocked: Bool
      do throws(FileError) { isLocked = try file.lock(until: deadline) } catch { throw StorageError(error) }
      guard isLocked else { throw StorageError(.busy, ["path": path], at: .file(path)) }
      // Another process may have put a new file in its place meanwhile.
      guard file.hasName else {
        file.unlock()
        guard MonotonicInstant.now < deadline else { throw StorageError(.busy, ["path": path], at: .file(path)) }
        continue
      }
      file.live.setReplaced(false)
      do throws(StorageError) { return (file, try header(of: file, path, options, isReadOnly)) } catch {
        file.unlock()
        throw error
      }
    }
  }

  private static func open(
    _ path: String, _ folder: KeyValueFolder, _ isReadOnly: Bool
  ) throws(StorageError) -> any KeyValueFile {
    do throws(FileError) {
      guard let file = try folder.open(path, isReadOnly ? .reading : .making) else {
        throw FileError(.open, path, .noSuchFileOrDirectory)
      }
      return file
    } catch {
      if error.operation == .map, error.code == .invalidArgument {
        throw StorageError(.malformed, ["path": path], at: .file(path))
      }
      throw StorageError(error)
    }
  }

  private static func header(
    of file: any KeyValueFile, _ path: String, _ options: KeyValueOptions, _ isReadOnly: Bool
  ) throws(StorageError) -> KeyValueHeader {
    var page = [UInt8](repeating: 0, count: KeyValueHeader.size)
    let count = page.withUnsafeMutableBytes { file.read($0, at: 0) }
    if let header = page.withUnsafeBytes({ KeyValueHeader(page: $0) }) {
      try check(header, options.key, path)
      return header
    }
    guard count == page.count, page.allSatisfy({ $0 == 0 }) else {
      throw StorageError(.malformed, ["path": path], at: .file(path))
    }
    let header = KeyValueHeader.fresh(for: options.key)
    guard !isReadOnly else { return header }
    do throws(FileError) {
      try header.write(to: file)
      try file.sync()
    } catch { throw StorageError(error) }
    return header
  }

  private static func check(_ header: KeyValueHeader, _ key: StorageKey?, _ path: String) throws(StorageError) {
    guard header.isEncrypted else {
      guard key == nil else { throw StorageError(.keyWrong, ["path": path], at: .file(path)) }
      return
    }
    guard let key else { throw StorageError(.keyMissing, ["path": path], at: .file(path)) }
    guard RecordCipher.check(key, header) == header.keyCheck else {
      throw StorageError(.keyWrong, ["path": path], at: .file(path))
    }
  }
}

extension KeyValueHeader {
  /// The header of a new file.
  static func fresh(for key: StorageKey?) -> KeyValueHeader {
    var header = KeyValueHeader()
    header.isEncrypted = key != nil
    if let key { header.keyCheck = RecordCipher.check(key, header) }
    return header
  }

  /// Writes the first page of a new file.
  func write(to file: any KeyValueFile) throws(FileError) {
    let bytes = page
    try bytes.withUnsafeBytes { bytes in Result { () throws(FileError) in try file.write(bytes, at: 0) } }.get()
  }

  /// Writes a change in the place of the older copy.
  mutating func update(_ file: any KeyValueFile) throws(FileError) {
    sequence += 1
    let bytes = copy
    try bytes.withUnsafeBytes { bytes in Result { () throws(FileError) in try file.write(bytes, at: place) } }.get()
  }
}
