/// The reason why a text is not JSON, and where.
package struct JSONSyntaxError: Error, Sendable, Equatable {
  package enum Code: String, Sendable {
    /// A byte that cannot be here; `detail` is its scalar.
    case unexpected
    case unfinished
    /// More objects and arrays inside each other than `detail`.
    case tooDeep
    /// `detail` is no number, or no number that a `Double` comes near to.
    case badNumber
    case badString
    /// The member `detail` stands a second time; `first` is the place of the first.
    case nameTwice
  }

  package let code: Code
  package let detail: String
  package let position: TextPosition
  package let first: TextPosition?

  package init(code: Code, detail: String = "", position: TextPosition, first: TextPosition? = nil) {
    self.code = code
    self.detail = detail
    self.position = position
    self.first = first
  }
}
