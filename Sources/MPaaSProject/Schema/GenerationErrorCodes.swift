import MPaaSSupport

extension GenerationError.Code {
  /// The error for something else in the place of a schema.
  static var schemaNotSchema: Self { malformed("schema-not-schema") }
  /// A keyword has a value that it cannot have.
  static var schemaKeyword: Self { malformed("schema-keyword") }
  /// Nothing has the address that a reference names.
  static var schemaRefMissing: Self { malformed("schema-ref-missing") }
  /// A schema refers to itself for the same value.
  static var schemaRefCycle: Self { malformed("schema-ref-cycle") }
  /// A regular expression is none, or Swift has no such.
  static var schemaPattern: Self { malformed("schema-pattern") }
  /// The schemas together are too large.
  static var schemaTooLarge: Self { malformed("schema-too-large") }
  /// No sample has an object at a path that somebody named.
  static var samplePath: Self { malformed("sample-path") }
  /// A note: what is nearly a keyword and none.
  static var schemaUnknownKeyword: Self { malformed("schema-unknown-keyword") }
}
