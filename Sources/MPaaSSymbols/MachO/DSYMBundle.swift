import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A folder `X.dSYM` with the debug information of an image, as Xcode and dsymutil lay it out.
enum DSYMBundle {
  private static let inside = "/Contents/Resources/DWARF"
  /// Bundles whose dSYM stands beside the bundle and not in it.
  private static let bundleEndings = [".app", ".framework", ".appex", ".bundle", ".xpc", ".kext", ".plugin", ".xctest"]

  /// The files with DWARF in a bundle; none where the folder is no bundle.
  static func objectFiles(in bundle: String) -> [String] {
    let folder = trimmed(bundle) + inside
    guard FileStatus(folder)?.kind == .folder, let names = try? FileSystem.names(in: folder) else { return [] }
    return names.map { folder + "/" + $0 }
  }

  /// The files of all bundles that may belong to an image by where it lies, nearest first: beside it, beside the app or
  /// framework that it is in, and in the `dSYMs` folder of its `.xcarchive`.
  static func candidates(for image: String) -> [String] {
    var bundles = [image + ".dSYM"]
    var folder = image
    while let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
      folder = String(folder[..<slash])
      if bundleEndings.contains(where: folder.hasSuffix) { bundles.append(folder + ".dSYM") }
      if folder.hasSuffix(".xcarchive") {
        bundles += (try? FileSystem.names(in: folder + "/dSYMs"))?.map { folder + "/dSYMs/" + $0 } ?? []
      }
    }
    return bundles.flatMap(objectFiles)
  }

  /// The bundle that a file with DWARF is in; nil where it is in none.
  static func bundle(of file: String) -> String? {
    let folder = FileSystem.folder(of: file)
    return folder.hasSuffix(inside) ? String(folder.dropLast(inside.count)) : nil
  }

  /// The path of the list in a bundle that tells which build Apple recompiled a build from.
  static func originList(in bundle: String, _ id: BuildID) -> String {
    trimmed(bundle) + "/Contents/Resources/" + id.dashed + ".plist"
  }

  /// The UUID of the build that was made here, where Apple recompiled it (`DBGOriginalUUID`).
  static func originalBuild(_ list: Bytes) -> BuildID? {
    struct Origin: Decodable {
      let DBGOriginalUUID: String?
    }
    guard list.count < 1 << 20 else { return nil }
    let origin = try? PropertyListDecoder().decode(Origin.self, from: Data(list.buffer))
    return (origin?.DBGOriginalUUID).flatMap { BuildID(hex: $0) }
  }

  private static func trimmed(_ folder: String) -> String {
    folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
  }
}

extension FileContent {
  /// The object file that a path means: of a dSYM bundle the one inside, otherwise the path itself.
  package static func objectPath(_ path: String) -> String {
    guard FileStatus(path)?.kind == .folder else { return path }
    return DSYMBundle.objectFiles(in: path).first ?? path
  }
}
