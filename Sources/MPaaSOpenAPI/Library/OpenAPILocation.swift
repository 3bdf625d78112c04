/// The place of a value: a file of the description, and the names and numbers that lead to it from the root.
package struct OpenAPILocation: Sendable, Hashable {
  /// The index of the file in the library; 0 is the one that was asked for.
  package let file: Int
  package let path: [String]

  package init(file: Int, path: [String]) {
    self.file = file
    self.path = path
  }

  package static let root = OpenAPILocation(file: 0, path: [])

  /// The place of something inside.
  package subscript(_ steps: String...) -> OpenAPILocation {
    OpenAPILocation(file: file, path: path + steps)
  }

  /// The JSON pointer (RFC 6901) of the place in its file.
  package var pointer: String {
    path.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
  }

  /// The name of the component that stands here, where it is one: `Pet` of `/components/schemas/Pet`.
  package var componentName: String? {
    path.count == 3 && path[0] == "components" ? path[2] : nil
  }
}
