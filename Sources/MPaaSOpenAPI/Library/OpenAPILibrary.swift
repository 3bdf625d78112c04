package import MPaaSJSON
import MPaaSJSONSchema
package import MPaaSSupport

/// The files of a description, each read once; references are looked up in them, never on the network.
package struct OpenAPILibrary: Sendable {
  /// A file, and the values in it.
  package struct Document: Sendable {
    package let source: JSONSource
    /// The path as references are resolved against it.
    let path: OpenAPIPath
    /// The address that the document gives itself by `$self` (3.2), else its path.
    let base: String
  }

  package private(set) var documents: [Document] = []
  /// The faults of files that references lead to; they do not keep the rest from being read.
  package private(set) var faults: [OpenAPIError] = []
  private var indexes: [String: Int] = [:]

  /// A library of a single document, whose references to files lead nowhere.
  package init(_ source: JSONSource) {
    add(source, at: OpenAPIPath(source.file))
  }

  /// Reads what a document's references lead to, and what theirs do.
  ///
  /// - Parameter files: Nothing is read that they do not allow; each refusal is one of `faults`.
  package init(_ source: JSONSource, files: OpenAPIFiles) {
    self.init(source)
    let folder = OpenAPIPath(FileSystem.folder(of: source.file))
    var loading = OpenAPILoading(folder: folder.text == "" ? OpenAPIPath(".") : folder, files: files)
    var next = 0
    while next < documents.count {
      let document = documents[next]
      next += 1
      ReferenceWalk.references(in: document.source.root) { node in
        guard let text = node.string else { return }
        let resource = SchemaAddress.withoutFragment(text)
        guard !resource.isEmpty, indexes[key(resource, from: document)] == nil else { return }
        switch loading.load(resource, from: document, at: document.source.place(node)) {
        case .read(let source, let path): add(source, at: path)
        case .known(let path): indexes[key(resource, from: document)] = indexes[path.text]
        case .failed(let error): faults.append(error)
        }
      }
    }
  }

  private mutating func add(_ source: JSONSource, at path: OpenAPIPath) {
    let own = source.root["$self"]?.string ?? ""
    indexes[path.text] = documents.count
    if !own.isEmpty { indexes[SchemaAddress.withoutFragment(own)] = documents.count }
    documents.append(Document(source: source, path: path, base: own.isEmpty ? path.text : own))
  }

  /// The name under which a file is known that a reference in `document` names.
  private func key(_ resource: String, from document: Document) -> String {
    if indexes[resource] != nil { return resource }
    let byBase = SchemaAddress.resolve(resource, document.base)
    if indexes[byBase] != nil { return byBase }
    return OpenAPILoading.path(resource, from: document).text
  }
}

// MARK: Lookups

extension OpenAPILibrary {
  /// The value at a place; nil where there is none.
  package func node(at location: OpenAPILocation) -> JSONNode? {
    guard documents.indices.contains(location.file) else { return nil }
    var node = documents[location.file].source.root
    for step in location.path {
      if let child = node[step] {
        node = child
      } else if let elements = node.elements, let index = Int(step), elements.indices.contains(index) {
        node = elements[index]
      } else {
        return nil
      }
    }
    return node
  }

  /// The place that a reference means, without a look at what stands there.
  package func target(of reference: String, from file: Int) -> OpenAPILocation? {
    let resource = SchemaAddress.withoutFragment(reference)
    let fragment = SchemaAddress.fragment(reference) ?? ""
    guard fragment.isEmpty || fragment.hasPrefix("/") else { return nil }
    let path = fragment.isEmpty ? [] : SchemaAddress.steps(fragment)
    if resource.isEmpty { return OpenAPILocation(file: file, path: path) }
    guard documents.indices.contains(file), let found = indexes[key(resource, from: documents[file])] else {
      return nil
    }
    return OpenAPILocation(file: found, path: path)
  }

  /// The place that a reference means, and what stands there, past further references.
  ///
  /// - Throws: `openapi-reference-missing`, `openapi-reference-circle` with the place of the reference.
  package func resolve(
    _ reference: JSONNode, from file: Int
  ) throws(OpenAPIError) -> (location: OpenAPILocation, node: JSONNode) {
    var seen: Set<OpenAPILocation> = []
    var reference = reference
    var file = file
    while true {
      let text = reference.string ?? ""
      guard let location = target(of: text, from: file), let node = node(at: location) else {
        throw OpenAPIError(.referenceMissing, ["ref": text], at: place(reference, in: file))
      }
      guard let further = node["$ref"], further.string != nil else { return (location, node) }
      guard seen.insert(location).inserted else {
        throw OpenAPIError(.referenceCircle, ["ref": text], at: place(reference, in: file))
      }
      reference = further
      file = location.file
    }
  }

  package func place(_ node: JSONNode, in file: Int) -> Place {
    documents.indices.contains(file) ? documents[file].source.place(node) : .file("")
  }
}
