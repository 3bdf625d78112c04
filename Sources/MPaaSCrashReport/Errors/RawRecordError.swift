package import MPaaSBase

/// The reason why bytes are not a raw crash record that a report can be made of, and where reading ended.
package typealias RawRecordError = FormatError<RawRecordFault>

package enum RawRecordFault: FormatFault {
  /// It does not begin as a record does.
  case badMagic
  /// Written by a newer version of the crash handler.
  case newerVersion
  /// It ends before the crash and the crashed thread were written, or is damaged before them.
  case incomplete

  package var words: (id: DiagnosticID, values: [String: String]) {
    switch self {
    case .badMagic: ("record-bad-magic", [:])
    case .newerVersion: ("record-newer-version", [:])
    case .incomplete: ("record-incomplete", [:])
    }
  }
}
