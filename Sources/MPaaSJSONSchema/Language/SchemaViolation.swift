/// A word of a schema that a value does not keep.
package struct SchemaViolation: Sendable, Equatable {
  /// The names and numbers that lead to the value.
  package let instance: [String]
  /// The word, such as `required`; `false schema` for a schema that takes nothing.
  package let keyword: String
  /// The address of the schema, with a pointer to the word.
  package let schema: String
  /// The sentence about the value in English, without a subject: `must be integer`.
  package let message: String

  package init(instance: [String], keyword: String, schema: String, message: String) {
    self.instance = instance
    self.keyword = keyword
    self.schema = schema
    self.message = message
  }

  /// The JSON pointer of the value.
  package var pointer: String {
    instance.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
  }
}
