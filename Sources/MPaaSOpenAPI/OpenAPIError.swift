package import MPaaSSupport

/// The part of the kit that `OpenAPIError` belongs to.
package enum OpenAPIDomain {}

/// The reason why a description of calls cannot be read.
package typealias OpenAPIError = CodedError<OpenAPIDomain>

extension OpenAPIError.Code {
  /// A document that is neither OpenAPI 3, Swagger 2.0 nor a collection of Postman's.
  package static var unknownFormat: Self { .malformed("openapi-unknown-format") }
  /// A version of OpenAPI that is not read.
  package static var unknownVersion: Self { .malformed("openapi-unknown-version") }
  /// A reference that leads to nothing.
  package static var referenceMissing: Self { .malformed("openapi-reference-missing") }
  /// References that lead in a circle without anything between them.
  package static var referenceCircle: Self { .malformed("openapi-reference-circle") }
  /// A reference to a file outside of the folder of the document.
  package static var referenceOutside: Self { .refused("openapi-reference-outside") }
  /// A reference to something on the network.
  package static var referenceRemote: Self { .refused("openapi-reference-remote") }
  /// More files, or more bytes in them, than the limit.
  package static var tooLarge: Self { .malformed("openapi-too-large") }
}
