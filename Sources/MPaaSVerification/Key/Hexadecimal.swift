import MPaaSSupport

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension Data {
  /// Reads hexadecimal digits of either case; nil where there is any other character or an odd number.
  package init?(hexadecimal text: some StringProtocol) {
    guard let bytes = [UInt8](hexadecimal: text) else { return nil }
    self.init(bytes)
  }
}
