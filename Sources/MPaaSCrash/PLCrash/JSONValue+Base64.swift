package import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension JSONValue {
  /// Bytes as a string of base64 (RFC 4648).
  package static func base64(_ bytes: some Collection<UInt8>) -> JSONValue {
    .string(Data(bytes).base64EncodedString())
  }

  /// The bytes that a string of base64 stands for.
  var base64: [UInt8]? {
    string.flatMap { Data(base64Encoded: $0) }.map { [UInt8]($0) }
  }
}
