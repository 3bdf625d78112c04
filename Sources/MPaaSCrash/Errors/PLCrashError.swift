package import MPaaSCrashReport
package import MPaaSSupport

/// The reason why bytes are not a `.plcrash` report.
package typealias PLCrashError = FormatError<PLCrashFault>

package enum PLCrashFault: FormatFault {
  /// It does not begin with `plcrash`.
  case badMagic
  /// The version byte is one without a definition: its value.
  case unknownVersion(UInt8)
  /// It ends in the middle of a field.
  case truncated
  /// A tag or a number that cannot be.
  case malformed
  /// Larger than any report: 16 MiB, or 65,536 threads, images, or frames of a thread.
  case tooLarge
  /// A field that no report can be without: its name in `PLCrashReport.proto`.
  case missing(String)

  package var words: (id: DiagnosticID, values: [String: String]) {
    switch self {
    case .badMagic: ("plcrash-not-plcrash", [:])
    case .unknownVersion(let version): ("plcrash-unknown-version", ["version": "\(version)"])
    case .truncated: ("plcrash-truncated", [:])
    case .malformed: ("plcrash-malformed", [:])
    case .tooLarge: ("plcrash-too-large", [:])
    case .missing(let field): ("plcrash-field-missing", ["field": field])
    }
  }
}
