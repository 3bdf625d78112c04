/// The reason why a file is no build that is kept.
package struct AppPackageError: Error, Sendable, Equatable {
  package enum Code: Sendable {
    /// No zip, or one with no app in it that is known.
    case unknown
    /// A part that cannot be read: cut, encrypted, not of its format.
    case damaged
    /// Made to harm whoever unpacks it: paths that leave the folder, parts that overlap, far more bytes than are there.
    case unsafe
  }

  package let code: Code
  /// The part, and the fault in it.
  package let reason: String

  package init(_ code: Code, _ reason: String) { (self.code, self.reason) = (code, reason) }
}
