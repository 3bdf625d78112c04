import MPaaSArchive
import MPaaSDigests
package import MPaaSModules
package import MPaaSSupport
import MPaaSSymbols

/// An archive of a module as its publisher wants to give it out, and what was found about it.
package struct ModuleArchiveCheck: Sendable {
  package let manifest: ModuleManifest
  package let archive: ModuleArchiveFile
  package internal(set) var findings: [ModuleFinding] = []

  package var hasErrors: Bool { findings.contains { $0.severity == .error } }

  /// Tells whether bytes are an archive with a `module.toml` at the top.
  package static func matches(_ bytes: Bytes) -> Bool {
    guard ArchiveReader.matches(bytes) else { return false }
    var isModule = false
    // A file that cannot be read is no module's archive as far as this goes.
    try? ArchiveReader().entries(of: bytes, name: "") { (entry) throws(ArchiveError) in
      isModule = entry.path == ModuleArchive.manifestName
      return !isModule
    }
    return isModule
  }

  /// Reads an archive and checks it by itself: what it holds, what its code is for, what `module.toml` says.
  ///
  /// - Parameter name: What errors call it.
  /// - Throws: `ModuleError` where it is no archive that may be unpacked, or has no good `module.toml`.
  package init(_ bytes: Bytes, name: String) throws(ModuleError) {
    var listing = ArchiveListing()
    var text: String?
    try ModuleArchiveReader().read(bytes, name: name) { (entry) throws(ModuleError) in
      switch entry.kind {
      case .folder: listing.add(entry.path, .folder)
      case .link(let target): listing.add(entry.path, .link(target: target))
      case .file:
        if entry.path == ModuleArchive.manifestName {
          text = String(decoding: try entry.body(limit: ModuleArchive.largestManifest).array, as: UTF8.self)
        } else {
          try entry.read { (_) throws(ModuleError) in }
        }
        listing.add(entry.path, .file(size: entry.count))
      }
    }
    let file = name + "/" + ModuleArchive.manifestName
    guard let text else { throw ModuleError(.archiveNoManifest, ["file": name], at: .file(name)) }
    let document = try ModuleManifest.document(text, file: file)
    manifest = try ModuleManifest(reading: document, file: file)
    let isZip = ArchiveForm(bytes.buffer) == .zip
    archive = ModuleArchiveFile(
      name: ModuleArchive.name(manifest, isZip ? .zip : .tarZstandard), size: UInt64(bytes.count),
      sha256: bytes.sha256.hexadecimal, unpackedSize: listing.unpackedSize, fileCount: listing.fileCount)
    // A tar in another compression would be given a wrong name.
    guard isZip || bytes.buffer.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) else {
      throw ModuleError(.archiveFormat, ["file": name], at: .file(name))
    }
    for key in ModuleManifest.unknownKeys(in: document) { findings.append(key) }
    checkContents(in: listing)
    let code = try CodeInArchive(bytes, name: name, listing: listing, contents: manifest.contents)
    checkCode(code, in: listing)
    checkTexts(in: listing)
    sort()
  }

  /// Errors first, then by what they are about.
  mutating func sort() {
    findings.sort { one, other in
      if one.severity != other.severity { return one.severity > other.severity }
      return (one.subject, one.kind.rawValue) < (other.subject, other.kind.rawValue)
    }
  }

  mutating func note(
    _ severity: ModuleFinding.Severity, _ kind: ModuleFinding.Kind, _ subject: String, _ values: [String: String] = [:]
  ) {
    findings.append(ModuleFinding(severity, kind, subject, values))
  }

  /// Checks the texts of `module.toml` for people.
  private mutating func checkTexts(in listing: ArchiveListing) {
    if let license = manifest.license {
      if !SPDXExpression.isValid(license) { note(.warning, .licenseExpression, license) }
    } else {
      note(.warning, .license, "module.license")
    }
    let names = listing.topFiles.map { $0.lowercased() }
    if !names.contains(where: { ["license", "licence", "copying"].contains(where: $0.hasPrefix) }) {
      note(.warning, .licenseFile, "LICENSE")
    }
    if let homepage = manifest.homepage, !homepage.hasPrefix("https://"), !homepage.hasPrefix("http://") {
      note(.warning, .homepage, homepage)
    }
    for (kind, key, text) in [
      (ModuleFinding.Kind.summary, "module.summary", manifest.summary), (.notes, "notes", manifest.notes),
    ] {
      if text.english == nil { note(.warning, kind, key + ".en") }
      if text.simplifiedChinese == nil { note(.warning, kind, key + ".zh-Hans") }
    }
  }
}

extension ModuleError.Code {
  package static var archiveFormat: Self { malformed("module-archive-format") }
}
