import MPaaSSupport
import MPaaSTOML

extension ProfileCatalogue {
  /// Adds the profiles of a TOML text: tables `[profile.NAME]`.
  ///
  /// - Parameter file: What errors name.
  /// - Throws: `NetworkError` with the line of what is wrong.
  public mutating func add(toml text: String, file: String) throws(NetworkError) {
    let document = try TOMLDocument.reading(text, file: file)
    for key in document.values.keys.sorted() where key != "profile" {
      throw NetworkError(
        .profileKeyUnknown, ["key": key, "known": "[profile.NAME]"],
        at: .text(file: file, line: document.line(of: [key]) ?? 1, column: nil))
    }
    guard let tables = document.values["profile"]?.object else { return }
    // In the order of the file: a profile may build on one above it.
    let names = tables.keys.sorted { left, right in
      (document.line(of: ["profile", left]) ?? 0, left) < (document.line(of: ["profile", right]) ?? 0, right)
    }
    for name in names {
      add(try ProfileTable(name: name, document: document, catalogue: self).profile())
    }
  }

  /// The built-in profiles with those of `profiles.toml` and `profiles/*.toml` in the configuration folder, and those
  /// of
  /// `files`.
  ///
  /// - Throws: `NetworkError` with file and line, or a `FileError`.
  package static func loading(configuration: String, files: [String] = []) throws -> ProfileCatalogue {
    var catalogue = ProfileCatalogue.builtIn
    var paths: [String] = []
    let single = configuration + "/profiles.toml"
    if FileStatus(single) != nil { paths.append(single) }
    let folder = configuration + "/profiles"
    if FileStatus(folder)?.kind == .folder {
      paths += try FileSystem.names(in: folder).filter { $0.hasSuffix(".toml") }.sorted().map { folder + "/" + $0 }
    }
    for path in paths + files {
      try catalogue.add(toml: try TextFile.reading(path), file: path)
    }
    return catalogue
  }
}

/// One table `[profile.NAME]`.
private struct ProfileTable {
  let name: String
  let document: TOMLDocument
  let catalogue: ProfileCatalogue

  private static let keys = ["base", "down", "source", "timeline", "title", "up"]

  func profile() throws(NetworkError) -> NetworkProfile {
    guard name == ProfileCatalogue.folded(name), !name.isEmpty, name != "off" else {
      throw NetworkError(.profileName, ["name": name], at: place([]))
    }
    guard let table = document.values["profile"]?.object?[name]?.object else { throw wrong([], "a table") }
    for key in table.keys.sorted() where !Self.keys.contains(key) {
      throw NetworkError(
        .profileKeyUnknown, ["key": key, "known": Self.keys.joined(separator: ", ")], at: place([key]))
    }
    var profile = NetworkProfile(name: name)
    if let base = try string("base") { profile = try based(on: base) }
    profile.title = try string("title") ?? profile.title
    profile.source = try string("source") ?? document.file
    try put("down", into: &profile.downstream)
    try put("up", into: &profile.upstream)
    if let text = try string("timeline") { profile.timeline = try timeline(text) }
    return profile
  }

  private func based(on base: String) throws(NetworkError) -> NetworkProfile {
    do throws(NetworkError) {
      var profile = try catalogue.named(base)
      profile.name = name
      return profile
    } catch {
      throw NetworkError(error.code, error.values, at: place(["base"]))
    }
  }

  /// Conditions in the place of those of their kind.
  private func put(_ key: String, into conditions: inout [Condition]) throws(NetworkError) {
    guard let value = document.values["profile"]?.object?[name]?.object?[key] else { return }
    var texts: [String] = []
    if let text = value.string {
      texts = [text]
    } else if let array = value.array {
      for element in array {
        guard let text = element.string else { throw wrong([key], "a text or texts such as \"latency 300ms\"") }
        texts.append(text)
      }
    } else {
      throw wrong([key], "a text or texts such as \"latency 300ms\"")
    }
    var own: [Condition] = []
    for text in texts where !text.allSatisfy(\.isWhitespace) {
      own += try ConditionPhrase.conditions(text, file: document.file, line: line([key]))
    }
    let kinds = Set(own.map(\.kind))
    conditions = conditions.filter { !kinds.contains($0.kind) } + own
  }

  private func timeline(_ text: String) throws(NetworkError) -> Timeline {
    // The text of several lines begins on the line behind its key's.
    let isLong = text.contains("\n")
    let reader = TimelineReader(
      file: document.file, profiles: catalogue, firstLine: line(["timeline"]) + (isLong ? 1 : 0), hasColumns: isLong)
    return try reader.timeline(text, name: name)
  }

  private func string(_ key: String) throws(NetworkError) -> String? {
    guard let value = document.values["profile"]?.object?[name]?.object?[key] else { return nil }
    guard let text = value.string else { throw wrong([key], "a text") }
    return text
  }

  private func wrong(_ keys: [String], _ expected: String) -> NetworkError {
    let key = (["profile", name] + keys).joined(separator: ".")
    return NetworkError(.profileValue, ["key": key, "expected": expected], at: place(keys))
  }

  private func line(_ keys: [String]) -> Int {
    document.line(of: ["profile", name] + keys) ?? document.line(of: ["profile", name]) ?? 1
  }

  private func place(_ keys: [String]) -> Place { .text(file: document.file, line: line(keys), column: nil) }
}

extension TOMLDocument {
  /// Reads a text; what is no TOML is told as a `NetworkError`.
  static func reading(_ text: String, file: String) throws(NetworkError) -> TOMLDocument {
    do throws(TOMLError) {
      return try TOMLDocument(text, file: file)
    } catch {
      throw NetworkError(
        .tomlMalformed, ["file": file, "reason": error.reason],
        at: .text(file: file, line: error.line, column: error.column))
    }
  }
}

extension NetworkError.Code {
  /// A file that is no TOML.
  package static var tomlMalformed: Self { malformed("net-toml-malformed") }
  /// A key that is never read.
  package static var profileKeyUnknown: Self { malformed("net-profile-key-unknown") }
  /// A value of another type than its key has.
  package static var profileValue: Self { malformed("net-profile-value") }
  /// A profile's name that cannot be one.
  package static var profileName: Self { malformed("net-profile-name") }
}
