package import MPaaSHotpatch
import MPaaSSupport
import MPaaSTrust

/// The files of a patch that is to be built; the linter has found no error in them.
package struct PatchFiles: Sendable {
  package let files: [PayloadFile]
  private let scripts: [LuaSource]

  /// Reads the files that a user named, and those of the folders among them.
  ///
  /// - Parameter list: The file of the app's symbols; nil where nothing is known of them.
  /// - Throws: `FileError`; `TrustError` as `PayloadFolder.read`, `SymbolList.init(path:)` and `PatchLinter.requireClean`.
  package init(reading paths: [String], symbols list: String? = nil) throws {
    files = try PayloadFolder.read(paths)
    scripts = files.filter(\.isLua).map { file in LuaSource(file.contents.array, name: file.path) }
    try PatchLinter(symbols: try list.map { try SymbolList(path: $0) }).requireClean(scripts)
  }

  /// The functions of the app that the patch replaces, sorted.
  package var symbols: [String] { PatchLinter.patchedSymbols(scripts) }

  /// The file that runs first.
  ///
  /// - Throws: `TrustError` `bundle-no-entry`.
  package var entry: String { get throws(TrustError) { try PayloadFolder.entry(of: files.map(\.path)) } }
}

/// A bundle or an old script that was written to a file.
package struct BuiltPatch: Sendable {
  package let path: String
  package let size: Int
  /// The manifest that was signed; nil for an old script.
  package let manifest: PatchManifest?
  package let entry: String
  /// The keys that signed.
  package let keys: [VerificationKey]
  /// True if the same files and keys give the same bytes.
  package let isReproducible: Bool
}

extension BundleBuilder {
  /// Builds the bundle into a file.
  ///
  /// - Throws: `FileError`; `TrustError` `bundle-no-entry`, and as `build`.
  package func write(to path: String) throws -> BuiltPatch {
    let entry = try PayloadFolder.entry(of: files.map(\.path))
    let (bytes, manifest) = try build()
    try Bytes(bytes).write(to: path)
    return BuiltPatch(
      path: path, size: bytes.count, manifest: manifest, entry: entry, keys: keys.map(\.verificationKey),
      isReproducible: isReproducible)
  }
}
