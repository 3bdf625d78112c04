// Stands for Apple's module in scripts/check-platforms. What is bridged there is the same type here.
@_exported import Foundation

public typealias CFData = Data
public typealias CFString = String
public typealias CFDictionary = [String: Any]
public final class CFError: Sendable {}

// <Security/SecKey.h> and <Security/SecItem.h>, since iOS 10
public final class SecKey {}
public let kSecAttrKeyType: CFString = "type"
public let kSecAttrKeyTypeRSA: CFString = "42"
public let kSecAttrKeyClass: CFString = "kcls"
public let kSecAttrKeyClassPublic: CFString = "0"
public struct SecKeyAlgorithm: Sendable {
  public static let rsaSignatureMessagePSSSHA256 = SecKeyAlgorithm()
}
public func SecKeyCreateWithData(
  _ data: CFData, _ attributes: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? { nil }
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { 0 }
public func SecKeyVerifySignature(
  _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ signed: CFData, _ signature: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool { false }
