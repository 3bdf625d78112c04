import MPaaSJSON
package import MPaaSSupport

/// The part of the kit that `HARError` belongs to.
package enum HARDomain {}

/// The reason why a recording could not be read.
package typealias HARError = CodedError<HARDomain>

extension HARError.Code {
  /// A file that is no JSON.
  package static var malformed: Self { .malformed("har-malformed") }
  /// A member that is missing, or of another type than HAR 1.2 says.
  package static var shape: Self { .malformed("har-shape") }
  /// A file that is larger than what is read.
  package static var tooLarge: Self { .malformed("har-too-large") }
  /// Rules for masking that cannot be read.
  package static var rules: Self { .malformed("har-rules") }
}

extension HARError {
  /// A member of a recording that is not what it must be.
  static func shape(_ path: String, in file: String, at node: JSONNode? = nil) -> HARError {
    let place = node.map { Place.text(file: file, line: $0.position.line, column: $0.position.column) }
    return HARError(.shape, ["member": path], at: place ?? .file(file))
  }
}
