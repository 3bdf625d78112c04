package import MPaaSSupport
import MPaaSVerification

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PatchManifest {
  /// The payload type of the envelope, so that nothing else that the same key signed can stand for a manifest.
  package static let payloadType = "application/vnd.mpaas.hotpatch.v2+json"
  static let schema = 2

  /// The manifest as it is signed, once canonical.
  package var json: JSONValue {
    [
      "schema": JSONValue(Self.schema), "app": .string(app), "channel": .string(channel), "patch": .string(patch),
      "version": .string(version.text), "app_versions": .string(appVersions.text),
      "issued": .string(MetadataTime.text(issued)), "expires": .string(MetadataTime.text(expires)),
      "symbols": .array(symbols.map { .string($0) }),
      "payload": [
        "length": JSONValue(payload.length), "sha256": .string(payload.sha256),
        "plain_length": JSONValue(payload.plainLength),
      ],
      "files": .array(
        files.map { ["path": .string($0.path), "size": JSONValue($0.size), "sha256": .string($0.sha256)] }),
      // A line each: strings that are signed hold no control characters.
      "notes": .array(
        notes.isEmpty
          ? [] : notes.split(separator: "\n", omittingEmptySubsequences: false).map { .string(String($0)) }),
    ]
  }

  /// Reads the payload of an envelope: every member is there, none is unknown, all are within bounds.
  ///
  /// - Parameter json: Read by the strict rules.
  /// - Throws: `TrustError` `manifest-schema` naming the member, `payload-path` where a file's path is not acceptable.
  package init(json: JSONValue, limits: BundleLimits = BundleLimits()) throws(TrustError) {
    var members = try ManifestMembers(json, path: "manifest")
    guard try members.integer("schema", to: .max) == Self.schema else { throw members.error("schema") }
    app = try members.name("app")
    channel = try members.name("channel")
    patch = try members.name("patch")
    guard let version = DottedVersion(try members.string("version")) else { throw members.error("version") }
    guard let appVersions = DottedVersionRange(try members.string("app_versions")) else {
      throw members.error("app_versions")
    }
    self.version = version
    self.appVersions = appVersions
    issued = try members.time("issued")
    expires = try members.time("expires")
    guard issued < expires else { throw members.error("expires") }
    symbols = try members.strings("symbols")
    guard symbols.allSatisfy(SymbolList.isName), Self.isSorted(symbols) else { throw members.error("symbols") }
    payload = try Payload(members.value("payload"), limits)
    files = try Self.files(members.array("files"), limits)
    notes = try members.strings("notes").joined(separator: "\n")
    try members.finish()
  }

  private static func files(_ values: [JSONValue], _ limits: BundleLimits) throws(TrustError) -> [File] {
    guard (1...limits.files).contains(values.count) else {
      throw TrustError(.manifestSchema, ["field": "manifest.files"])
    }
    var files: [File] = []
    for value in values {
      var members = try ManifestMembers(value, path: "manifest.files")
      files.append(
        File(
          path: try members.string("path"), size: try members.integer("size", to: limits.payload),
          sha256: try members.digest("sha256")))
      try members.finish()
    }
    try PayloadPath.check(files.map(\.path))
    guard isSorted(files.map(\.path)) else { throw TrustError(.manifestSchema, ["field": "manifest.files"]) }
    return files
  }

  /// By code point, and none twice.
  static func isSorted(_ names: [String]) -> Bool {
    zip(names, names.dropFirst()).allSatisfy { precedes($0, $1) }
  }

  package static func precedes(_ left: String, _ right: String) -> Bool {
    left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
  }
}

extension PatchManifest.Payload {
  fileprivate init(_ value: JSONValue?, _ limits: BundleLimits) throws(TrustError) {
    var members = try ManifestMembers(value, path: "manifest.payload")
    length = try members.integer("length", to: limits.payload)
    sha256 = try members.digest("sha256")
    plainLength = try members.integer("plain_length", to: limits.payload)
    try members.finish()
  }
}

/// The members of one object of a manifest, taken out one by one; in the end none may be left.
private struct ManifestMembers {
  private let path: String
  private var rest: JSONValue.Object

  init(_ value: JSONValue?, path: String) throws(TrustError) {
    guard let object = value?.object else { throw TrustError(.manifestSchema, ["field": path]) }
    self.path = path
    rest = object
  }

  func error(_ name: String) -> TrustError { TrustError(.manifestSchema, ["field": "\(path).\(name)"]) }

  mutating func value(_ name: String) -> JSONValue? { rest.removeValue(forKey: name) }

  mutating func string(_ name: String) throws(TrustError) -> String {
    guard let text = value(name)?.string else { throw error(name) }
    return text
  }

  /// A word that may stand in paths and on command lines: letters, digits, `.`, `_`, `-`, beginning with the first two.
  mutating func name(_ name: String) throws(TrustError) -> String {
    let text = try string(name)
    guard PatchManifest.isName(text) else { throw error(name) }
    return text
  }

  mutating func integer(_ name: String, to limit: Int) throws(TrustError) -> Int {
    guard case .unsigned(let number) = value(name), let integer = Int(exactly: number), integer <= limit else {
      throw error(name)
    }
    return integer
  }

  mutating func digest(_ name: String) throws(TrustError) -> String {
    let text = try string(name)
    guard text.utf8.count == 64, Data(hexadecimal: text)?.hexadecimal == text else { throw error(name) }
    return text
  }

  mutating func time(_ name: String) throws(TrustError) -> Date {
    let text = try string(name)
    guard let time = MetadataTime.date(text), MetadataTime.text(time) == text else { throw error(name) }
    return time
  }

  mutating func array(_ name: String) throws(TrustError) -> [JSONValue] {
    guard let values = value(name)?.array else { throw error(name) }
    return values
  }

  mutating func strings(_ name: String) throws(TrustError) -> [String] {
    var strings: [String] = []
    for value in try array(name) {
      guard let text = value.string else { throw error(name) }
      strings.append(text)
    }
    return strings
  }

  func finish() throws(TrustError) {
    if let name = rest.keys.min() { throw error(name) }
  }
}

extension PatchManifest {
  /// Tells whether `text` can be an app key, a channel or the name of a patch: at most 128 letters, digits, `.`, `_`
  /// and `-` of ASCII, the first one a letter or a digit.
  package static func isName(_ text: String) -> Bool {
    func isWord(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    guard let first = text.utf8.first, isWord(first), text.utf8.count <= 128 else { return false }
    return text.utf8.allSatisfy {
      isWord($0) || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-")].contains($0)
    }
  }
}

extension TrustError.Code {
  package static let manifestSchema = malformed("manifest-schema")
}
