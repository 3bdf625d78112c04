import MPaaSSupport
import MPaaSXML

/// Makes a document of its elements, and collects what is wrong with them.
package struct DAODocumentReader {
  package private(set) var document: DAODocument
  package internal(set) var findings: [DAOFinding] = []
  private var signatures: Set<DAOMethod.Signature> = []

  package init(file: String?) { document = DAODocument(file: file) }

  /// Reads the whole document.
  ///
  /// - Throws: `dao-xml` where there are no elements to go on with.
  package mutating func read(_ bytes: [UInt8]) throws(DAOError) {
    let root: XMLElement
    do throws(XMLError) { root = try XMLDocument.root(of: bytes) } catch { throw DAOError(error) }
    guard root.name == "module" else {
      throw DAOError(.unknownElement, ["name": root.name, "parent": "", "meant": "module"], at: root.position)
    }
    document.size = bytes.count
    readModule(root)
    document.speaksOfFail = root.has("fail")
    if let text = root.firstText {
      report(.unknownElement, at: text.position(at: 0), ["name": "text", "parent": "module"])
    }
    for element in root.elements { readPart(element) }
    document.upgrades.sort { $0.version < $1.version }
    checkReferences()
  }

  private mutating func readModule(_ root: XMLElement) {
    checkAttributes(root, DAOElements.module)
    document.position = root.position
    document.name = required("name", of: root) ?? ""
    document.initializer = root["initializer"]
    document.tableName = root["tableName"].flatMap { $0.isEmpty ? nil : $0 }
    document.resetsOnUpgrade = DAOName.isYes(root["resetOnUpgrade"])
    if let version = root["version"] { document.version = self.version(version, of: root) }
    if let version = root["upgradeMinVersion"], !version.isEmpty {
      document.leastVersion = self.version(version, of: root)
    }
  }

  private mutating func version(_ text: String, of element: XMLElement) -> DottedVersion? {
    let version = DottedVersion(text)
    if version == nil { report(.version, at: element.position, ["version": text, "reason": "it is no version"]) }
    return version
  }

  private mutating func readPart(_ element: XMLElement) {
    switch element.name {
    case "const": readConstants(element)
    case "sql": readFragment(element)
    case "map": readMap(element)
    case "crypt": readSecret(element)
    case "upgrade": readUpgrade(element)
    default:
      guard let kind = DAOMethod.Kind(rawValue: element.name) else {
        return report(.unknownElement, at: element.position, ["name": element.name, "parent": "module"])
      }
      readMethod(element, kind)
    }
  }

  private mutating func readConstants(_ element: XMLElement) {
    for (name, value) in element.attributes {
      define(name, .constant(XMLText(value, at: element.position)), at: element.position)
    }
  }

  private mutating func readFragment(_ element: XMLElement) {
    checkAttributes(element, DAOElements.fragment)
    guard let name = required("id", of: element) else { return }
    define(name, .elements(element.children), at: element.position)
  }

  private mutating func define(_ name: String, _ fragment: DAODocument.Fragment, at position: DAOPosition) {
    guard name != "T", name != "t" else { return report(.reservedName, at: position, ["name": name]) }
    guard document.fragments[name] == nil else { return report(.duplicateMethod, at: position, ["name": name]) }
    document.fragments[name] = fragment
    document.fragmentPositions[name] = position
  }

  private mutating func readMap(_ element: XMLElement) {
    checkAttributes(element, DAOElements.map)
    guard let name = required("id", of: element), let className = required("result", of: element) else { return }
    var map = DAODocument.Map(className: className, properties: [:], position: element.position)
    for child in element.elements {
      guard child.name == "result" else {
        report(.unknownElement, at: child.position, ["name": child.name, "parent": "map"])
        continue
      }
      checkAttributes(child, DAOElements.mapResult)
      guard let property = required("property", of: child), let column = required("column", of: child) else { continue }
      map.properties[column] = property
    }
    guard document.maps[name] == nil else { return report(.duplicateMethod, at: element.position, ["name": name]) }
    document.maps[name] = map
  }

  private mutating func readSecret(_ element: XMLElement) {
    checkAttributes(element, DAOElements.crypt)
    guard let name = required("class", of: element), let property = required("property", of: element) else { return }
    document.secrets.insert(DAOSecret(name, property))
  }

  private mutating func readUpgrade(_ element: XMLElement) {
    checkAttributes(element, DAOElements.upgrade)
    guard let text = required("toVersion", of: element), let version = version(text, of: element) else { return }
    if let newest = document.version, newest < version {
      let reason = "it is later than that of the module, \(newest)"
      report(.version, at: element.position, ["version": text, "reason": reason])
    }
    document.upgrades.append(DAODocument.Upgrade(version: version, body: element))
  }

  mutating func add(_ method: DAOMethod) {
    if !signatures.insert(method.signature).inserted {
      report(.duplicateMethod, at: method.position, ["name": method.name])
    }
    document.methods.append(method)
  }

  private mutating func checkReferences() {
    if let name = document.initializer, document.method(name, 0) == nil {
      report(.unknownName, at: document.position, ["name": name])
    }
    for method in document.methods {
      guard case .map(let name)? = method.result?.element, document.maps[name] == nil else { continue }
      report(.result, at: method.position, ["result": ":\(name)"])
    }
  }
}
