package import MPaaSSupport

extension ModuleIndex {
  /// The format of `index.json` that is written, and the newest that is read.
  package static let format: UInt64 = 1

  /// Reads an `index.json`.
  ///
  /// Unknown members are ignored, and so is what is only for systems that are not known.
  ///
  /// - Parameter file: What errors name.
  /// - Throws: `ModuleError` `module-index-json`, `module-index-format`, `module-index-version-twice`, and those of
  ///   `ModuleManifest(reading:file:)`.
  package init(reading bytes: UnsafeRawBufferPointer, file: String = "index.json") throws(ModuleError) {
    let document: JSONValue
    do { document = try JSONValue(reading: bytes, by: JSONRules(depth: 32, isStrict: false)) } catch {
      throw ModuleError(
        .indexJSON, ["file": file, "reason": error.code.rawValue],
        at: .text(file: file, line: error.line, column: error.column))
    }
    let top = try ManifestFields(document, .init(file: file), path: [])
    let format = try top.required(try top.unsigned("format"), "format")
    guard format == Self.format else {
      throw ModuleError(.indexFormat, ["file": file, "format": String(format)], at: .file(file))
    }
    let name = try top.required(try top.string("name"), "name")
    guard ModuleName.isValid(name) else { throw top.error(.badName, "name", ["value": name]) }
    self.init(name: name, summary: try top.text("summary") ?? LocalizedText())
    guard let elements = top.members["releases"]?.array else { throw top.error(.fieldMissing, "releases") }
    releases.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      let fields = try ManifestFields(element, top.source, path: ["releases", String(index)])
      guard let release = try ModuleRelease(fields, name: name, summary: summary) else { continue }
      releases.append(release)
    }
    releases.sort { $0.version > $1.version }
    for (one, other) in zip(releases, releases.dropFirst()) where one.version == other.version {
      throw ModuleError(.indexVersionTwice, ["file": file, "version": one.version.text], at: .file(file))
    }
  }

  package init(reading bytes: Bytes, file: String = "index.json") throws(ModuleError) {
    try self.init(reading: bytes.buffer, file: file)
  }

  /// The bytes of `index.json`: JSON on one line, members sorted, releases from new to old.
  package var encoded: [UInt8] {
    var members: JSONValue.Object = ["format": .unsigned(Self.format), "name": .string(name)]
    members["summary"] = summary.value
    let sorted = releases.sorted { $0.version > $1.version }
    members["releases"] = .array(sorted.map { .object($0.members(besides: summary)) })
    var text: [UInt8] = []
    JSONValue.object(members).append(to: &text)
    text.append(UInt8(ascii: "\n"))
    return text
  }
}

extension ModuleRelease {
  /// - Parameter summary: What holds where the release has none of its own.
  /// - Returns: nil where it is only for systems that are not known.
  fileprivate init?(_ fields: ManifestFields, name: String, summary: LocalizedText) throws(ModuleError) {
    var manifest = ModuleManifest(
      name: name, version: try fields.required(try fields.version("version"), "version"))
    manifest.summary = try fields.text("summary") ?? summary
    manifest.license = try fields.string("license")
    manifest.homepage = try fields.string("homepage")
    try manifest.readParts(of: fields, isStrict: false)
    let wanted = fields.members["platforms"]?.object ?? [:]
    if manifest.platforms.isEmpty, !wanted.isEmpty { return nil }
    let archive = try fields.required(try fields.table("archive"), "archive")
    let released = try fields.required(try fields.unsigned("released"), "released")
    guard let seconds = Int64(exactly: released) else { throw fields.error(.fieldText, "released") }
    self.init(
      manifest: manifest, archive: try ModuleArchiveFile(archive), released: seconds,
      yanked: try fields.remark("yanked"))
  }

  fileprivate func members(besides summary: LocalizedText) -> JSONValue.Object {
    var members = manifest.parts
    members["version"] = .string(version.text)
    // An empty table says that there is none, though others have one.
    if manifest.summary != summary { members["summary"] = manifest.summary.value ?? [:] }
    members["license"] = manifest.license.map { .string($0) }
    members["homepage"] = manifest.homepage.map { .string($0) }
    members["released"] = .unsigned(UInt64(max(released, 0)))
    members["yanked"] = yanked.map { .string($0) }
    members["archive"] = [
      "name": .string(archive.name), "size": .unsigned(archive.size), "sha256": .string(archive.sha256),
      "unpacked_size": .unsigned(archive.unpackedSize), "file_count": .init(archive.fileCount),
    ]
    return members
  }
}

extension ModuleArchiveFile {
  fileprivate init(_ fields: ManifestFields) throws(ModuleError) {
    let name = try fields.required(try fields.string("name"), "name")
    guard ModulePath.isValid(name), !name.contains("/") else { throw fields.error(.badPath, "name", ["value": name]) }
    let sha256 = try fields.required(try fields.string("sha256"), "sha256")
    guard sha256.utf8.count == 64, sha256.utf8.allSatisfy(Self.isHexadecimal) else {
      throw fields.error(.indexDigest, "sha256", ["value": sha256])
    }
    let count = try fields.required(try fields.unsigned("file_count"), "file_count")
    guard let fileCount = Int(exactly: count) else { throw fields.error(.fieldText, "file_count") }
    self.init(
      name: name, size: try fields.required(try fields.unsigned("size"), "size"), sha256: sha256,
      unpackedSize: try fields.required(try fields.unsigned("unpacked_size"), "unpacked_size"), fileCount: fileCount)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
  }
}

extension ModuleError.Code {
  package static var indexJSON: Self { malformed("module-index-json") }
  package static var indexFormat: Self { malformed("module-index-format") }
  package static var indexVersionTwice: Self { malformed("module-index-version-twice") }
  package static var indexDigest: Self { malformed("module-index-digest") }
}
