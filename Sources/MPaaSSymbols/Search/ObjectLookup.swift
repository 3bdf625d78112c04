import MPaaSSupport
import Synchronization

/// An object file with its debug information, ready for look-ups.
package struct OpenedObject: Sendable {
  /// The file itself, or the debug file where only that was found.
  package let path: String
  /// Bytes of an address: 4 or 8.
  package let addressSize: Int
  package let status: DebugFileFinding.Status
  /// The object files that the image was linked from, where its lines come from them.
  package var objects: DebugObjects?
  package let lookup: any FrameLookup
}

/// Opens object files with the debug information that belongs to them, each once.
///
/// It can be shared between threads.
package final class ObjectLookup: Sendable {
  private let search: DebugFileSearch

  private enum Key: Hashable {
    case path(String, String?)
    case build(BuildID)
  }

  private let opened = Mutex<[Key: OpenedObject]>([:])

  package init(search: DebugFileSearch) {
    self.search = search
  }

  /// Opens the object file at `path`, which may be a dSYM bundle or inside an archive.
  ///
  /// - Parameter architecture: Which image of a fat file; nil leaves the choice to us.
  /// - Throws: `ObjectLookupError` where it is not there or no object file. Missing debug information is no error:
  ///   names then come from the symbol table.
  package func open(_ path: String, architecture: String? = nil) throws(ObjectLookupError) -> OpenedObject {
    let key = Key.path(path, architecture)
    if let known = opened.withLock({ $0[key] }) { return known }
    let file = FileContent.objectPath(path)
    var lostIndex = false
    // With an index little more than the build ID is read of the file itself.
    if search.indexes != nil {
      let image = try Self.image(at: file, architecture, path, sparsely: true)
      do throws(IndexFileError) {
        if let known = try search.indexed(image, path: file) { return keep(known, as: key) }
      } catch {
        lostIndex = true
      }
    }
    let image = try Self.image(at: file, architecture, path)
    let finding = search.find(image, path: file)
    // A symbol table alone would answer otherwise than the index did.
    if lostIndex, finding.status != .complete { throw .lostIndex(path: path) }
    return keep(object(finding, image, path), as: key)
  }

  private static func image(
    at file: String, _ architecture: String?, _ path: String, sparsely: Bool = false
  ) throws(ObjectLookupError) -> any ObjectImage {
    let images = try ObjectFile.images(at: file, sparsely: sparsely)
    return try ObjectFile.choice(of: images, architecture: architecture, path: path)
  }

  /// Opens the files of a build, wherever the search finds them.
  ///
  /// - Throws: `ObjectLookupError.unknownBuild` where it finds none.
  package func open(build id: BuildID) throws(ObjectLookupError) -> OpenedObject {
    if let known = opened.withLock({ $0[.build(id)] }) { return known }
    if let known = search.indexed(build: id) { return keep(known, as: .build(id)) }
    let finding = search.find(path: nil, buildID: id)
    guard let main = finding.executable ?? finding.debugFile else { throw .unknownBuild(id) }
    return keep(object(finding, main.image, main.path), as: .build(id))
  }

  private func object(_ finding: DebugFileFinding, _ image: any ObjectImage, _ path: String) -> OpenedObject {
    let lookup = search.lookup(in: finding) ?? AddressLookup(nil)
    return OpenedObject(
      path: path, addressSize: image.addressSize, status: finding.status, objects: finding.objects, lookup: lookup)
  }

  private func keep(_ object: OpenedObject, as key: Key) -> OpenedObject {
    opened.withLock { opened in
      if let other = opened[key] { return other }
      opened[key] = object
      return object
    }
  }
}

extension DebugFileSearch {
  /// Look-ups in what a search found, by an index where there is one or is to be one; nil where nothing was found.
  package func lookup(in finding: DebugFileFinding) -> (any FrameLookup)? {
    guard let indexes else { return finding.lookup() }
    return indexes.lookup(in: finding)
  }

  /// The same search with more paths that are looked at as if the user had named them.
  fileprivate func adding(_ paths: [String]) -> DebugFileSearch {
    guard !paths.isEmpty else { return self }
    var search = self
    search.given = GivenPaths(given.paths + paths)
    return search
  }

  /// The image by an index that makes a search needless.
  fileprivate func indexed(_ image: any ObjectImage, path: String) throws(IndexFileError) -> OpenedObject? {
    // Without a build ID, the paths given may lead to other debug information.
    guard let indexes, image.buildID != nil || given.paths.isEmpty,
      let lookup = try indexes.lookup(
        image: image, path: path, reserve: { adding($0).find(image, path: path).lookup() })
    else { return nil }
    return OpenedObject(path: path, addressSize: image.addressSize, status: .complete, lookup: lookup)
  }

  /// The build by its index in the store.
  fileprivate func indexed(build id: BuildID) -> OpenedObject? {
    guard given.paths.isEmpty, let indexes,
      let lookup = indexes.lookup(build: id, reserve: { find(path: nil, buildID: id).lookup() })
    else { return nil }
    return OpenedObject(
      path: lookup.file.files?.first?.path ?? id.hex, addressSize: lookup.file.addressSize, status: .complete,
      lookup: lookup)
  }
}
