import CSQLite

#if canImport(CryptoKit)
  import CryptoKit
#elseif canImport(Crypto)
  import Crypto
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The keys of one open database, by their generations; for one thread at a time.
final class PageKeys {
  /// The outcome of what SQLite's file system asks for, as it knows it.
  enum Outcome: Int32 {
    case done, damaged, keyUnknown, keyWrong, plain, failed
  }

  private static let nonceAndTag = 12 + 16

  private let key: DatabaseKey
  private var header: DatabaseHeader
  private var pageKeys: [UInt32: SymmetricKey] = [:]
  /// The key that pages are written with.
  private var writing: SymmetricKey

  /// Makes the keys of a file by its first page.
  static func open(_ key: DatabaseKey, _ page: [UInt8]) -> Result<PageKeys, KeyFailure> {
    guard page.starts(with: DatabaseHeader.magic) else { return .failure(KeyFailure(outcome: .plain)) }
    guard let header = DatabaseHeader(page) else { return .failure(KeyFailure(outcome: .damaged)) }
    do {
      return .success(try PageKeys(key, header))
    } catch {
      return .failure(error)
    }
  }

  /// The reason why a file has no keys.
  struct KeyFailure: Error {
    let outcome: Outcome
  }

  private init(_ key: DatabaseKey, _ header: DatabaseHeader) throws(KeyFailure) {
    (self.key, self.header) = (key, header)
    let found = try Self.pageKeys(key, header, known: [:])
    guard let current = found[header.current.generation] else { throw KeyFailure(outcome: .keyWrong) }
    (pageKeys, writing) = (found, current)
  }

  /// The keys of all generations of a header.
  private static func pageKeys(
    _ key: DatabaseKey, _ header: DatabaseHeader, known: [UInt32: SymmetricKey]
  ) throws(KeyFailure) -> [UInt32: SymmetricKey] {
    var found = known
    let slots = [header.current, header.former].compactMap(\.self)
    for slot in slots where slot.fits(key) {
      found[slot.generation] = slot.pageKey(key)
      guard let other = slots.first(where: { $0.generation != slot.generation }), found[other.generation] == nil
      else { continue }
      guard let unwrapped = try? slot.unwrapped(other.generation, key, header.id) else {
        throw KeyFailure(outcome: .damaged)
      }
      found[other.generation] = unwrapped
    }
    return found
  }

  /// Follows a header that has changed: another process encrypts the database anew, or has done so.
  func reload(_ page: [UInt8]) -> Outcome {
    guard let header = DatabaseHeader(page), header.id == self.header.id else { return .damaged }
    do {
      let found = try Self.pageKeys(key, header, known: pageKeys)
      guard let current = found[header.current.generation] else { return .keyWrong }
      (self.header, pageKeys, writing) = (header, found, current)
      return .done
    } catch {
      return error.outcome
    }
  }

  private func withPlace<Result>(
    _ place: mp_place, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try withUnsafeTemporaryAllocation(byteCount: 40, alignment: 8) { memory in
      memory.copyBytes(from: header.id)
      for (index, word) in [place.part, place.number, place.mark].enumerated() {
        memory.storeBytes(of: word.littleEndian, toByteOffset: 16 + 8 * index, as: UInt64.self)
      }
      return try body(UnsafeRawBufferPointer(memory))
    }
  }

  /// Writes the seal of some bytes: nonce, ciphertext, tag, generation.
  func seal(_ plain: UnsafeRawBufferPointer, for place: mp_place, to target: UnsafeMutableRawPointer) -> Outcome {
    let box = withPlace(place) { try? header.cipher.seal(plain, writing, $0) }
    guard let box, box.count == plain.count + Self.nonceAndTag else { return .failed }
    box.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { target.copyMemory(from: start, byteCount: bytes.count) }
    }
    target.storeBytes(of: header.current.generation.littleEndian, toByteOffset: box.count, as: UInt32.self)
    return .done
  }

  /// Writes the bytes that were sealed for a place.
  func open(
    _ sealed: UnsafeMutableRawPointer, _ count: Int, for place: mp_place, to target: UnsafeMutableRawPointer
  ) -> Outcome {
    let size = count + Self.nonceAndTag
    let generation = UInt32(littleEndian: sealed.loadUnaligned(fromByteOffset: size, as: UInt32.self))
    guard let key = pageKeys[generation] else { return .keyUnknown }
    let box = Data(bytesNoCopy: sealed, count: size, deallocator: .none)
    guard let plain = withPlace(place, { try? header.cipher.open(box, key, $0) }), plain.count == count
    else { return .damaged }
    plain.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { target.copyMemory(from: start, byteCount: count) }
    }
    return .done
  }
}
