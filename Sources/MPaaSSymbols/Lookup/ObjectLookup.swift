package import MPaaSSupport
import Synchronization

/// Why a file gives no look-ups.
package enum ObjectLookupError: Error, Sendable, Equatable {
  case file(FileError)
  case object(ObjectError, path: String)
  /// Neither the store nor the places searched have this build.
  case unknownBuild(BuildID)
}

extension ObjectLookupError: DiagnosticConvertible {
  package var diagnostic: Diagnostic {
    switch self {
    case .file(let error): error.diagnostic
    case .object(let error, let path): error.diagnostic(file: path)
    case .unknownBuild(let id): Diagnostic("symbols-unknown-build", ["uuid": id.hex], exit: .inputMissing)
    }
  }
}

/// An object file with its debug information, ready for look-ups.
package struct OpenedObject: Sendable {
  /// The file itself, or the debug file where only that was found.
  package let image: any ObjectImage
  package let path: String
  /// Where the debug information came from.
  package let finding: DebugFileFinding
  package let lookup: any FrameLookup
}

/// Opens object files with the debug information that belongs to them, each once.
///
/// It can be shared between threads.
package final class ObjectLookup: Sendable {
  private let search: DebugFileSearch

  private enum Key: Hashable {
    case path(String)
    case build(BuildID)
  }

  private let opened = Mutex<[Key: OpenedObject]>([:])

  package init(search: DebugFileSearch) {
    self.search = search
  }

  /// Opens the object file at `path`.
  ///
  /// - Throws: `ObjectLookupError` where it is not there or no object file. Missing debug information is no error:
  ///   names then come from the symbol table.
  package func open(_ path: String) throws(ObjectLookupError) -> OpenedObject {
    if let known = opened.withLock({ $0[.path(path)] }) { return known }
    let image = try Self.image(at: path)
    let finding = search.find(image, path: path)
    return keep(object(finding, image, path), as: .path(path))
  }

  private static func image(at path: String) throws(ObjectLookupError) -> any ObjectImage {
    let bytes: Bytes
    do { bytes = try Bytes.mapping(path) } catch { throw .file(error) }
    let images: [any ObjectImage]
    do { images = try ObjectFile.images(bytes) } catch { throw .object(error, path: path) }
    return images[0]
  }

  /// Opens the files of a build, wherever the search finds them.
  ///
  /// - Throws: `ObjectLookupError.unknownBuild` where it finds none.
  package func open(build id: BuildID) throws(ObjectLookupError) -> OpenedObject {
    if let known = opened.withLock({ $0[.build(id)] }) { return known }
    let finding = search.find(path: nil, buildID: id)
    guard let main = finding.executable ?? finding.debugFile else { throw .unknownBuild(id) }
    return keep(object(finding, main.image, main.path), as: .build(id))
  }

  private func object(_ finding: DebugFileFinding, _ image: any ObjectImage, _ path: String) -> OpenedObject {
    let debug = finding.debugFile.flatMap { $0.image === image ? nil : $0.image }
    let lookup = image.lookup(with: debug, companions: finding.companions)
    return OpenedObject(image: image, path: path, finding: finding, lookup: lookup)
  }

  private func keep(_ object: OpenedObject, as key: Key) -> OpenedObject {
    opened.withLock { opened in
      if let other = opened[key] { return other }
      opened[key] = object
      return object
    }
  }
}
