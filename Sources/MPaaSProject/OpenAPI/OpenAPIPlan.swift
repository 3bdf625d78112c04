import MPaaSJSON
import MPaaSOpenAPI
import MPaaSSupport

/// The operations of a description with the names that they have in Swift, and the schemas that they use.
struct OpenAPIPlan {
  let document: OpenAPIDocument
  /// Upper camel case; stands before the names of client, server and router.
  let name: String
  var operations: [PlannedOperation] = []
  var bundle: OpenAPISchemaBundle
  /// The numbers of the roots of component schemas that are made for themselves.
  var components: [Int] = []
  var notes: [GenerationError] = []

  /// An operation, or a call that comes from the other side.
  struct PlannedOperation {
    enum Side: Equatable {
      case path
      case webhook
      /// The name of the protocol that has the callbacks of an operation.
      case callback(String)
    }
    let source: OpenAPIOperation
    let id: String
    /// The name of the enumeration that holds what belongs to the operation.
    let type: String
    let function: String
    /// The name of the file's part: a tag, or the first part of the path.
    let group: String
    let side: Side
    var parameters: [PlannedParameter] = []
    var body: PlannedBody?
    var responses: [PlannedResponse] = []
  }

  struct PlannedParameter {
    let source: OpenAPIParameter
    let name: String
    let value: PlannedValue
    let isRequired: Bool
    /// The value where none is given; nil where there is none, or the type does not take it.
    let fallback: JSONNode?
  }

  /// A schema and the way in which its values travel.
  struct PlannedValue {
    /// The root of the schema; nil for any text.
    let root: Int?
    let schema: OpenAPISchema?
    let style: OpenAPIStyle
    let explodes: Bool
    let contentType: String?
  }

  struct PlannedBody {
    let isRequired: Bool
    let documentation: String?
    let contents: [PlannedContent]
  }

  struct PlannedResponse {
    let source: OpenAPIResponse
    /// The name of the case of the output.
    let name: String
    let headers: [PlannedHeader]
    let contents: [PlannedContent]
  }

  struct PlannedHeader {
    let source: OpenAPIHeader
    let name: String
    let value: PlannedValue
  }

  struct PlannedContent {
    enum Kind: Equatable { case json, jsonLines, form, multipart, xml, text, bytes, events }
    let kind: Kind
    let source: OpenAPIMediaType
    /// The name of the case where there are several.
    let name: String
    let root: Int?
    let schema: OpenAPISchema?
    /// The properties of a form of parts.
    let parts: [PlannedPart]
  }

  struct PlannedPart {
    let jsonName: String
    let name: String
    let root: Int?
    let schema: OpenAPISchema
    let isFile: Bool
    let isList: Bool
    let isRequired: Bool
    let encoding: OpenAPIEncoding?
    let documentation: String?
  }
}

extension OpenAPIPlan.PlannedContent.Kind {
  /// The form of a media type, by its name and, where that says nothing, by its schema.
  init(_ type: String) {
    let bare = type.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
    switch bare {
    case "application/x-www-form-urlencoded": self = .form
    case "application/jsonl", "application/x-ndjson", "application/json-seq", "application/x-jsonlines":
      self = .jsonLines
    case "text/event-stream": self = .events
    case _ where bare.hasPrefix("multipart/"): self = .multipart
    case "application/json", "text/json": self = .json
    case "application/xml", "text/xml": self = .xml
    case _ where bare.hasSuffix("+json"): self = .json
    case _ where bare.hasSuffix("+xml"): self = .xml
    case _ where bare.hasPrefix("text/"): self = .text
    default: self = .bytes
    }
  }
}
