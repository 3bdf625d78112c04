package import MPaaSSupport

extension X509Certificate {
  private static let begin = Array("-----BEGIN CERTIFICATE-----".utf8)
  private static let end = Array("-----END CERTIFICATE-----".utf8)
  private static let most = 1_000

  /// The certificates of a file: one in DER, or any number in PEM with other text around them.
  ///
  /// - Throws: `CodeSignatureError` `badASN1` with the place of what is no certificate, or where there is none.
  package static func all(in file: Bytes) throws(CodeSignatureError) -> [X509Certificate] {
    if withExtendedLifetime(file, { file.buffer.first == 0x30 }) { return [try X509Certificate(file)] }
    var certificates: [X509Certificate] = []
    var rest = file.array[...]
    while let start = place(of: begin, in: rest) {
      guard let stop = place(of: end, in: rest[start...]), certificates.count < most,
        let bytes = Base64.decode(loose: Array(rest[start + begin.count..<stop]))
      else { throw CodeSignatureError(.badASN1, offset: UInt64(start)) }
      do throws(CodeSignatureError) {
        certificates.append(try X509Certificate(Bytes(bytes)))
      } catch {
        throw error.moved(by: UInt64(start))
      }
      rest = rest[(stop + end.count)...]
    }
    guard !certificates.isEmpty else { throw CodeSignatureError(.badASN1, offset: 0) }
    return certificates
  }

  private static func place(of part: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
    var rest = bytes
    while let dash = rest.firstIndex(of: 0x2d) {
      rest = rest[dash...]
      if rest.starts(with: part) { return dash }
      rest = rest.dropFirst()
    }
    return nil
  }
}
