/// The findings about what an image takes from others, by the names of functions and classes.
struct ImportFindings {
  /// Without the underscore that C's names get in Mach-O.
  let names: [Substring]
  let place: ScanPlace

  var all: [ScanFinding] {
    Self.groups.compactMap { rule, wanted in
      let found = names.filter { name in wanted.contains { $0.matches(name) } }
      guard !found.isEmpty else { return nil }
      return ScanFinding(rule, place, found.map(String.init).joined(separator: ", "))
    }
  }

  private enum Name {
    case exactly(Set<Substring>)
    /// The prefix of a family of functions.
    case family(Substring, besides: Set<Substring> = [])

    func matches(_ name: Substring) -> Bool {
      switch self {
      case .exactly(let names): names.contains(name)
      case .family(let prefix, let besides): name.hasPrefix(prefix) && !besides.contains(name)
      }
    }
  }

  private static let groups: [(ScanRule, [Name])] = [
    (
      .weakHash,
      [
        .family("CC_MD2"), .family("CC_MD4"), .family("CC_MD5"), .family("CC_SHA1"),
        .exactly([
          "MD5", "MD5_Init", "MD5_Update", "MD4", "MD4_Init", "SHA1", "SHA1_Init", "EVP_md4", "EVP_md5", "EVP_sha1",
        ]),
      ]
    ),
    (
      .weakCipher,
      [
        .family("EVP_des_"), .family("EVP_rc4"), .family("EVP_rc2_"), .family("EVP_bf_"), .family("DES_ecb"),
        .family("DES_ncbc"), .family("DES_set_key"), .exactly(["RC4", "RC4_set_key", "RC2_set_key", "BF_set_key"]),
        .exactly(["EVP_aes_128_ecb", "EVP_aes_192_ecb", "EVP_aes_256_ecb", "AES_ecb_encrypt"]),
      ]
    ),
    (
      .weakRandom,
      [.exactly(["rand", "rand_r", "srand", "random", "srandom", "drand48", "lrand48", "mrand48", "srand48"])]
    ),
    (.gets, [.exactly(["gets", "gets$UNIX2003"])]),
    (
      .unboundedC,
      [.exactly(["strcpy", "stpcpy", "strcat", "sprintf", "vsprintf", "wcscpy", "wcscat", "scanf", "vscanf"])]
    ),
    (.temporaryName, [.exactly(["mktemp", "tmpnam", "tempnam"])]),
    (.shell, [.exactly(["system", "popen", "system$UNIX2003", "popen$UNIX2003"])]),
    (.pasteboard, [.exactly(["OBJC_CLASS_$_UIPasteboard", "OBJC_CLASS_$_NSPasteboard"])]),
    (.ptrace, [.exactly(["ptrace"])]),
  ]
}
