package import MPaaSCrashReport
package import MPaaSSupport

/// The reason why bytes are not a minidump or microdump that a report can be made of.
package typealias MinidumpError = FormatError<MinidumpFault>

package enum MinidumpFault: FormatFault {
  case badMagic
  /// The version in the header is not a minidump's: its value.
  case unknownVersion(UInt32)
  /// The header or the directory passes the end of the file.
  case truncated
  /// More streams than any writer makes: how many.
  case absurdCount(UInt32)
  /// Neither threads nor modules can be read.
  case noContents

  package var words: (id: DiagnosticID, values: [String: String]) {
    switch self {
    case .badMagic: ("minidump-not-minidump", [:])
    case .unknownVersion(let version):
      ("minidump-unknown-version", ["version": "0x" + String(version, radix: 16)])
    case .truncated: ("minidump-truncated", [:])
    case .absurdCount(let count): ("minidump-malformed", ["count": "\(count)"])
    case .noContents: ("minidump-empty", [:])
    }
  }
}
