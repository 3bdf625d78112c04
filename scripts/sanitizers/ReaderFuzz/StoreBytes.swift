import Glibc
import MPaaSStorage
import MPaaSSupport

/// Files of key-value stores from a fuzzer's bytes.
///
/// If the first byte is odd, the others are the file. Else they are records behind a sound header: the size of a body and
/// the body, to which marker, length and checksum are written, as no fuzzer finds them. After a size of 255 come 16 bytes
/// that are no record.
enum StoreBytes {
  private static let idPlace = 8..<24, markerPlace = 56..<60

  static func file(_ bytes: [UInt8], in folder: String) -> [UInt8] {
    guard let first = bytes.first, first & 1 == 0, let header = header(in: folder) else {
      return Array(bytes.dropFirst())
    }
    var file = header, rest = bytes.dropFirst()
    while let size = rest.popFirst() {
      let body = rest.prefix(size == 255 ? 16 : Int(size))
      rest = rest.dropFirst(body.count)
      if size == 255 { file += body } else { append(body, to: &file) }
    }
    return file
  }

  private static func append(_ body: ArraySlice<UInt8>, to file: inout [UInt8]) {
    let length = body.count + 4
    let record = (length < 128 ? [UInt8(length)] : [UInt8(length & 127 | 128), UInt8(length >> 7)]) + body
    var check = CRC32C()
    let place = withUnsafeBytes(of: UInt64(file.count).littleEndian) { Array($0) }
    (file[idPlace] + place + record).withUnsafeBytes { check.update($0) }
    file += file[markerPlace] + record + withUnsafeBytes(of: check.value.littleEndian) { Array($0) }
  }

  /// The first page of a store without values; the same for all files.
  private static func header(in folder: String) -> [UInt8]? {
    if let made { return made }
    let path = folder + "/empty.mpkv"
    unlink(path)
    guard (try? KeyValueStore(path: path)) != nil, let bytes = try? Bytes.reading(path, limit: 1 << 16).array else {
      return nil
    }
    made = Array(bytes.prefix(4096))
    return made
  }

  /// libFuzzer calls from one thread.
  nonisolated(unsafe) private static var made: [UInt8]?
}
