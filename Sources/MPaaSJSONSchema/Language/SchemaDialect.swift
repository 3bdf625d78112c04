package import MPaaSJSON

/// A version of JSON Schema, by which the words of a schema are understood.
package enum SchemaDialect: Sendable, Hashable, CaseIterable {
  case draft4
  case draft6
  case draft7
  case draft2019
  case draft2020
  /// The schemas of OpenAPI 3.0: draft 4 (Wright 00) with `nullable`, and without references to themselves by `id`.
  case openAPI30

  /// The dialect of an address in `$schema`; nil for one that is not known.
  package init?(address: String) {
    let bare = address.prefix { $0 != "#" }
    for scheme in ["http://", "https://"] where bare.hasPrefix(scheme) {
      switch bare.dropFirst(scheme.count) {
      case "json-schema.org/draft-04/schema": self = .draft4
      case "json-schema.org/draft-06/schema": self = .draft6
      case "json-schema.org/draft-07/schema": self = .draft7
      case "json-schema.org/draft/2019-09/schema": self = .draft2019
      case "json-schema.org/draft/2020-12/schema": self = .draft2020
      case "spec.openapis.org/oas/3.1/dialect/base": self = .draft2020
      case let rest where rest.hasPrefix("spec.openapis.org/oas/3.1/dialect/"): self = .draft2020
      case let rest where rest.hasPrefix("spec.openapis.org/oas/3.2/dialect/"): self = .draft2020
      default: return nil
      }
      return
    }
    return nil
  }

  /// True where nothing beside a `$ref` counts.
  var refStandsAlone: Bool { self != .draft2019 && self != .draft2020 }
  /// The name of the word by which a schema says its address.
  var identifier: String? {
    switch self {
    case .openAPI30: nil
    case .draft4: "id"
    default: "$id"
    }
  }
  /// True where `exclusiveMinimum` is a word on `minimum`, not a number.
  var hasExclusiveFlags: Bool { self == .draft4 || self == .openAPI30 }
  /// True where anchors have a word of their own.
  var hasAnchors: Bool { !refStandsAlone }
  var hasConst: Bool { self != .draft4 && self != .openAPI30 }
  var hasConditions: Bool { self == .draft7 || hasAnchors }
}

/// A schema that cannot be used as it stands.
package struct SchemaFault: Error, Sendable, Equatable {
  package enum Code: String, Sendable {
    /// A schema that is neither an object nor a boolean.
    case notSchema = "schema"
    /// A word whose value is not what it must be; `detail` is the word.
    case keyword
    /// A reference that leads to nothing given; `detail` is the reference.
    case referenceMissing = "reference"
    /// A pattern that is none.
    case patternMalformed = "pattern"
    /// A pattern that needs what linear time cannot do, such as looking ahead; it is not checked.
    case patternUnsupported = "pattern-unsupported"
  }

  package let code: Code
  package let detail: String
  /// The address of the document, and the place in it.
  package let document: String
  package let position: TextPosition

  /// True where values can be checked nevertheless, by all other words.
  package var isRemark: Bool { code == .patternUnsupported }
}
