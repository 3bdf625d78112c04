package import MPaaSHotpatch
package import MPaaSSupport
import MPaaSTrust

/// The differences between two bundles: what they say, and their files.
package struct BundleDiff: Sendable {
  /// One side: what the bundle says, and its files where they could be opened.
  package struct Side: Sendable {
    package let manifest: PatchManifest
    package let files: [PayloadFile]?

    package init(manifest: PatchManifest, files: [PayloadFile]?) {
      self.manifest = manifest
      self.files = files
    }
  }

  package struct Field: Sendable, Equatable {
    package let name: String
    package let a: String
    package let b: String
  }

  package struct File: Sendable, Equatable {
    package enum Change: String, Sendable { case added, removed, changed }
    package let path: String
    package let change: Change
    /// nil where a side was not opened, or is no text.
    package let lines: LineDiff?
  }

  package let fields: [Field]
  package let files: [File]

  package var isSame: Bool { fields.isEmpty && files.isEmpty }

  package init(_ a: Side, _ b: Side) {
    fields = Self.fields(a.manifest, b.manifest)
    files = Self.files(a, b)
  }

  /// Members that say the same in other words differ too; what only follows from the files is left out.
  private static func fields(_ a: PatchManifest, _ b: PatchManifest) -> [Field] {
    let (left, right) = (a.json.object ?? [:], b.json.object ?? [:])
    return left.keys.sorted().filter { !["files", "payload", "schema"].contains($0) }.compactMap { name in
      guard left[name] != right[name] else { return nil }
      return Field(name: name, a: text(left[name]), b: text(right[name]))
    }
  }

  private static func text(_ value: JSONValue?) -> String {
    value?.string ?? value?.array?.compactMap(\.string).joined(separator: "\n") ?? ""
  }

  private static func files(_ a: Side, _ b: Side) -> [File] {
    let left = Dictionary(a.manifest.files.map { ($0.path, $0) }) { first, _ in first }
    let right = Dictionary(b.manifest.files.map { ($0.path, $0) }) { first, _ in first }
    let isOpen = a.files != nil && b.files != nil
    func contents(_ side: Side, _ path: String) -> String? {
      guard let file = side.files?.first(where: { $0.path == path }) else { return "" }
      return file.text.flatMap { $0.utf8.contains(0) ? nil : $0 }
    }
    return Set(left.keys).union(right.keys).sorted { PatchManifest.precedes($0, $1) }.compactMap { path in
      guard left[path] != right[path] else { return nil }
      let change: File.Change = left[path] == nil ? .added : right[path] == nil ? .removed : .changed
      guard isOpen, let old = contents(a, path), let new = contents(b, path) else {
        return File(path: path, change: change, lines: nil)
      }
      return File(path: path, change: change, lines: LineDiff(old, new))
    }
  }
}

extension BundleDiff.Side {
  /// Reads a bundle without asking who signed it: what it says, and with `identities` its files.
  ///
  /// - Throws: `TrustError` as `BundleVerifier.verify`, but for what concerns signatures.
  package init(reading bytes: Bytes, identities: [AgeIdentity]) throws(TrustError) {
    let container = try BundleContainer(reading: bytes)
    let manifest = try SignedManifest(reading: container.manifest).manifest()
    try BundleVerifier.checkDigest(of: container.payload, manifest.payload)
    guard !identities.isEmpty else {
      self.init(manifest: manifest, files: nil)
      return
    }
    let archive = try BundleVerifier.decrypt(container.payload, manifest.payload, identities)
    self.init(manifest: manifest, files: try PayloadArchive.files(in: archive, listed: manifest.files))
  }
}
