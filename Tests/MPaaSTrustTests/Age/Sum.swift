import Crypto
import Foundation

enum Sum {
  static func sha256(_ bytes: some DataProtocol) -> String {
    SHA256.hash(data: bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
