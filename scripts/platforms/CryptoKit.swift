// A stand-in for CryptoKit: swift-crypto has the same declarations.
@_exported import Crypto
