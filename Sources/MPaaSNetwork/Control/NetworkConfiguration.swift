import MPaaSSupport
import MPaaSTOML

/// The beginning of a server: proxies with their toxics, and a profile.
///
/// It is read from TOML, or from the JSON that toxiproxy takes with `-config` (Documentation/NetworkAPI.md).
package struct NetworkConfiguration: Sendable, Equatable {
  package var proxies: [ProxyDefinition] = []
  /// The profile that holds from the start.
  package var profile: String?

  /// Reads a file's text; what begins with `[{`, or is an empty array, is JSON.
  ///
  /// - Throws: `net-config-malformed` with the line, or a `TOMLError`.
  package init(_ text: String, file: String) throws {
    if Self.isJSON(text) {
      try readJSON(text, file)
    } else {
      try readTOML(try TOMLDocument(text, file: file))
    }
    var names: Set<String> = []
    for proxy in proxies where !names.insert(proxy.name).inserted {
      throw Self.fault("two proxies are called \(proxy.name)", .file(file))
    }
  }

  /// A TOML file that begins with `[` has a table's name behind it.
  private static func isJSON(_ text: String) -> Bool {
    var rest = text.utf8.drop { $0 <= 0x20 }
    guard rest.popFirst() == UInt8(ascii: "[") else { return false }
    rest = rest.drop { $0 <= 0x20 }
    return rest.first == UInt8(ascii: "{") || rest.first == UInt8(ascii: "]")
  }

  private static func fault(_ reason: String, _ place: Place) -> NetworkError {
    NetworkError(.configurationMalformed, ["reason": reason, "place": place.description], at: place)
  }

  private mutating func readJSON(_ text: String, _ file: String) throws {
    var text = text
    let value: JSONValue
    do {
      value = try text.withUTF8 { try JSONValue(reading: UnsafeRawBufferPointer($0)) }
    } catch let error as JSONError {
      throw Self.fault(error.code.rawValue, .text(file: file, line: error.line, column: error.column))
    }
    for (index, element) in (value.array ?? []).enumerated() {
      try add(element, "proxy \(index + 1)", .file(file), lineOfToxic: { _ in nil })
    }
  }

  private mutating func readTOML(_ document: TOMLDocument) throws {
    for key in document.values.keys.sorted() where !["proxy", "profile"].contains(key) {
      throw Self.fault("unknown key \(key)", document.place(document.line(of: [key])))
    }
    if let value = document.values["profile"] {
      guard let name = value.string else {
        throw Self.fault("profile is a \(value.kind), not a string", document.place(document.line(of: ["profile"])))
      }
      profile = name
    }
    guard let value = document.values["proxy"] else { return }
    guard let elements = value.array else {
      throw Self.fault("proxies are written as [[proxy]]", document.place(document.line(of: ["proxy"])))
    }
    for (index, element) in elements.enumerated() {
      let line = document.line(ofElement: index, in: ["proxy"])
      try add(element, "proxy \(index + 1)", document.place(line), lineOfToxic: { _ in line })
    }
  }

  private static let known = [
    "name", "listen", "upstream", "enabled", "kind", "routes", "tls", "seed", "toxic", "toxics",
  ]

  private mutating func add(
    _ value: JSONValue, _ what: String, _ place: Place, lineOfToxic: (Int) -> Int?
  ) throws {
    guard let object = value.object else { throw Self.fault("\(what) is no table", place) }
    for key in object.keys.sorted() where !Self.known.contains(key.lowercased()) {
      let near = closestMatch(to: key, among: Self.known)
      throw Self.fault("\(what): unknown key \(key)" + (near.map { " (\($0)?)" } ?? ""), place)
    }
    do {
      var definition = try ProxyDefinition(object)
      guard !definition.name.isEmpty else { throw ControlFailure.missing("name") }
      guard !definition.upstream.isEmpty || !definition.needsUpstream else { throw ControlFailure.missing("upstream") }
      for toxic in (object["toxic"] ?? object["toxics"])?.array ?? [] {
        let toxic = try Toxic(configured: toxic.object ?? [:])
        guard !definition.toxics.contains(where: { $0.name == toxic.name }) else {
          throw ControlFailure.malformed("two toxics are called \(toxic.name)")
        }
        definition.toxics.append(toxic)
      }
      proxies.append(definition)
    } catch let failure as ControlFailure {
      let reason = failure.cause?.values["reason"] ?? failure.message
      throw Self.fault("\(what): \(reason)", place)
    } catch let error as NetworkError {
      throw NetworkError(error.code, error.values, at: error.place ?? place)
    }
  }
}

extension TOMLDocument {
  fileprivate func place(_ line: Int?) -> Place { line.map { .text(file: file, line: $0, column: nil) } ?? .file(file) }
}

extension Toxic {
  private static let fields: Set<String> = ["name", "type", "stream", "toxicity", "attributes"]

  /// Reads a toxic of a file: attributes stand in `attributes` or beside the other fields, and may be words with units.
  init(configured object: JSONValue.Object) throws(NetworkError) {
    var toxic = object.filter { Self.fields.contains($0.key) }
    var attributes = object["attributes"]?.object ?? [:]
    for (name, value) in object where !Self.fields.contains(name) { attributes[name] = value }
    if let kind = object["type"]?.string.flatMap(Condition.Kind.init(rawValue:)) {
      for (name, value) in attributes {
        guard let text = value.string, let attribute = kind.attribute(name) else { continue }
        attributes[name] = try attribute.value(of: text)
      }
    }
    toxic["attributes"] = .object(attributes)
    try self.init(toxic)
  }
}
