/// The answer to a question about an image: `unknown` where the file does not tell.
package enum ScanState: String, Sendable, Hashable {
  case yes, no
  case partial
  case unknown
  /// Nothing in the file could need it.
  case notApplicable
}
