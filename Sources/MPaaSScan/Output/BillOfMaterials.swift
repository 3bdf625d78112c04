import MPaaSDigests
package import MPaaSSupport
import MPaaSSymbols

/// The parts of what was scanned, as a bill of materials in the form of CycloneDX or SPDX.
package struct BillOfMaterials: Sendable {
  package enum Form: String, Sendable, CaseIterable { case cyclonedx, spdx }

  private let report: ScanReport
  private let tool: ScanTool
  private let parts: [Part]

  private struct Part: Sendable {
    let component: ScanComponent
    let digest: String?
    /// The numbers of the parts that it is linked with.
    var needs: [Int] = []
  }

  package init(_ report: ScanReport, _ tool: ScanTool) {
    self.report = report
    self.tool = tool
    var parts = report.components.map { component in
      Part(component: component, digest: report.digest(of: component))
    }
    // Libraries are named by their files' names, wherever they lie.
    var files: [String: Int] = [:]
    for (index, part) in parts.enumerated() { for name in report.fileNames(of: part.component) { files[name] = index } }
    for index in parts.indices {
      let needed = report.images(of: parts[index].component).flatMap(\.neededNames)
      parts[index].needs = Set(needed.compactMap { files[$0] }).subtracting([index]).sorted()
    }
    self.parts = parts
  }

  package func document(_ form: Form) -> JSONValue {
    switch form {
    case .cyclonedx: cyclone
    case .spdx: spdx
    }
  }

  private var name: String { report.inputs.first.map { FileSystem.name(of: $0) } ?? "scan" }

  /// A UUID of what the document says, so that the same input gives the same.
  private var identity: String {
    let text = parts.map { part in
      "\(part.component.name)\0\(part.component.version ?? "")\0\(part.component.path)\0\(part.digest ?? "")\n"
    }
    var digest = Array(DigestAlgorithm.sha256.digest(of: Array((text.joined() + name).utf8)).prefix(16))
    // Version 8, of our own making (RFC 9562).
    digest[6] = digest[6] & 0x0f | 0x80
    digest[8] = digest[8] & 0x3f | 0x80
    let digits = Array(digest.hexadecimal)
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }

  private var time: String {
    let (date, second) = CivilDate.at(secondsSince1970: tool.time)
    let clock = [second / 3600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }
    return "\(date)T\(clock.joined(separator: ":"))Z"
  }

  // MARK: CycloneDX

  /// - Source: ECMA-424, CycloneDX 1.6.
  private var cyclone: JSONValue {
    [
      "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6",
      "serialNumber": .string("urn:uuid:" + identity), "version": 1,
      "metadata": [
        "timestamp": .string(time),
        "tools": ["components": [["type": "application", "name": "mpaas", "version": .string(tool.version)]]],
        "component": ["type": "file", "bom-ref": "input", "name": .string(name)],
      ],
      "components": .array(parts.indices.map(cycloneComponent)),
      "dependencies": .array(
        [["ref": "input", "dependsOn": JSONValue(texts: parts.indices.map(reference))]]
          + parts.indices.map { index in
            ["ref": .string(reference(index)), "dependsOn": JSONValue(texts: parts[index].needs.map(reference))]
          }),
    ]
  }

  private func reference(_ index: Int) -> String { "part-\(index + 1)" }

  private func cycloneComponent(_ index: Int) -> JSONValue {
    let part = parts[index]
    var members: JSONValue.Object = [
      "type": .string(part.component.kind.rawValue), "bom-ref": .string(reference(index)),
      "name": .string(part.component.name),
      "properties": [
        ["name": "mpaas:path", "value": .string(part.component.path)],
        ["name": "mpaas:source", "value": .string(part.component.source)],
      ],
    ]
    if let version = part.component.version { members["version"] = .string(version) }
    if let digest = part.digest { members["hashes"] = [["alg": "SHA-256", "content": .string(digest)]] }
    return .object(members)
  }

  // MARK: SPDX

  /// - Source: SPDX Specification 2.3, JSON.
  private var spdx: JSONValue {
    let root = "SPDXRef-input"
    func relation(_ from: String, _ kind: String, _ to: String) -> JSONValue {
      ["spdxElementId": .string(from), "relationshipType": .string(kind), "relatedSpdxElement": .string(to)]
    }
    func id(_ index: Int) -> String { "SPDXRef-" + reference(index) }
    let packages =
      [package(root, name: name, version: nil, digest: nil, purpose: "ARCHIVE", file: nil)]
      + parts.indices.map { index in
        let part = parts[index]
        return package(
          id(index), name: part.component.name, version: part.component.version, digest: part.digest,
          purpose: part.component.kind.rawValue.uppercased(), file: part.component.path)
      }
    return [
      "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": .string(name),
      "documentNamespace": .string("urn:uuid:" + identity),
      "creationInfo": ["created": .string(time), "creators": [.string("Tool: mpaas-" + tool.version)]],
      "packages": .array(packages),
      "relationships": .array(
        [relation("SPDXRef-DOCUMENT", "DESCRIBES", root)] + parts.indices.map { relation(root, "CONTAINS", id($0)) }
          + parts.indices.flatMap { index in
            parts[index].needs.map { relation(id(index), "DEPENDS_ON", id($0)) }
          }),
    ]
  }

  private func package(
    _ id: String, name: String, version: String?, digest: String?, purpose: String, file: String?
  ) -> JSONValue {
    var members: JSONValue.Object = [
      "SPDXID": .string(id), "name": .string(name), "downloadLocation": "NOASSERTION", "filesAnalyzed": false,
      "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION",
      "primaryPackagePurpose": .string(purpose),
    ]
    if let version { members["versionInfo"] = .string(version) }
    if let file { members["packageFileName"] = .string(file) }
    if let digest { members["checksums"] = [["algorithm": "SHA256", "checksumValue": .string(digest)]] }
    return .object(members)
  }
}

extension ScanReport {
  /// The images of a part: of a bundle those directly in it, else those of the file.
  fileprivate func images(of component: ScanComponent) -> [ScannedImage] {
    guard let bundle = bundles.first(where: { $0.path == component.path }) else {
      return images.filter { $0.path == component.path }
    }
    guard let name = bundle.executable else { return [] }
    let paths = ["/", "/Contents/MacOS/", "/Versions/A/"].map { bundle.path + $0 + name }
    return images.filter { paths.contains($0.path) }
  }

  fileprivate func digest(of component: ScanComponent) -> String? {
    images(of: component).lazy.compactMap { digests[$0.path] }.first
  }

  /// The names that other images call a part's by.
  fileprivate func fileNames(of component: ScanComponent) -> Set<String> {
    Set(images(of: component).map { FileSystem.name(of: $0.path) } + [component.name])
  }
}

extension ScannedImage {
  /// The file names of the libraries that it wants.
  fileprivate var neededNames: [String] {
    switch facts {
    case .machO(let facts): facts.libraries.filter { $0.kind != .own }.map { FileSystem.name(of: $0.name) }
    case .elf(let facts): facts.needed
    }
  }
}
