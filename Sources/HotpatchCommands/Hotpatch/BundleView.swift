import MPaaSHotpatch
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

/// The contents of a bundle, as commands show them.
enum BundleView {
  static func members(_ manifest: PatchManifest) -> JSONValue.Object {
    var members = manifest.json.object ?? [:]
    members["schema"] = nil
    members["notes"] = .string(manifest.notes)
    return members
  }

  static func describe(
    _ manifest: PatchManifest, entry: String?, _ catalogue: Catalogue, _ document: inout Document
  ) {
    func line(_ key: String, _ value: String) { document.line(field("text.bundle-\(key)", value, catalogue)) }
    line("patch", "\(manifest.patch) \(manifest.version)")
    line("app", "\(manifest.app) (\(manifest.appVersions.text))")
    line("channel", manifest.channel)
    line("term", "\(MetadataTime.text(manifest.issued)) – \(MetadataTime.text(manifest.expires))")
    let none = catalogue.text("text.bundle-none")
    line("symbols", manifest.symbols.isEmpty ? none : manifest.symbols.joined(separator: ", "))
    if let entry { line("entry", entry) }
    for file in manifest.files {
      line("file", "\(file.path) · \(ByteCount(UInt64(file.size))) · \(file.sha256.prefix(16))…")
    }
    for (index, note) in manifest.notes.split(separator: "\n").enumerated() {
      document.line(index == 0 ? field("text.bundle-notes", String(note), catalogue) : StyledText("  " + note))
    }
  }

  static func field(_ key: String, _ value: String, _ catalogue: Catalogue) -> StyledText {
    StyledText(catalogue.text(key) + (catalogue.language == .english ? ": " : "："), .faint) + StyledText(value)
  }
}

/// A key that signed, as commands show it.
struct BundleKeyView: Sendable {
  let keyID: String
  let name: String?
  let fingerprint: String?
  let scheme: String?

  /// - Parameter scheme: How it signed; nil where that is the key's own way.
  init(_ key: VerificationKey, name: String? = nil, scheme: String? = nil) {
    keyID = key.keyID
    self.name = name
    fingerprint = PublicKey.signing(key).fingerprint.words
    self.scheme = scheme ?? key.scheme.rawValue
  }

  /// A key of which only its name in the envelope is known.
  init(unknown keyID: String) {
    self.keyID = keyID
    name = nil
    fingerprint = nil
    scheme = nil
  }

  var json: JSONValue {
    func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    return [
      "key_id": .string(keyID), "name": text(name), "fingerprint": text(fingerprint), "scheme": text(scheme),
    ]
  }

  func line(_ key: String, _ catalogue: Catalogue) -> StyledText {
    let words = [name, fingerprint ?? keyID, scheme].compactMap { $0 }
    return BundleView.field(key, words.joined(separator: " · "), catalogue)
  }
}
