package import Hummingbird

/// A refusal whose answer has a form of its own.
package protocol OwnResponse: Error {
  var refusal: Refusal { get }
  var response: Response { get }
}
