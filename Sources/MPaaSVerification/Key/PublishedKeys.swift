import MPaaSSupport

/// Keys whose private half anybody can look up: in a standard, in a test suite, in a tutorial.
///
/// A signature of theirs proves nothing.
package enum PublishedKeys {
  /// The place where the private half was published; nil for a key of which that is not known.
  package static func origin(of key: PublicKey) -> String? {
    origins[key.fingerprint.hexadecimal]
  }

  /// - Throws: `TrustError` `key-published`.
  package static func refuse(_ key: PublicKey) throws(TrustError) {
    guard let origin = origin(of: key) else { return }
    throw TrustError(.keyPublished, ["fingerprint": key.fingerprint.words, "origin": origin])
  }

  /// The places of published private halves, by the digests of their public halves.
  private static let origins: [String: String] = {
    var origins: [String: String] = [:]
    for (origin, digests) in published {
      for digest in digests { origins[digest] = origin }
    }
    return origins
  }()

  /// SHA-256 of the SubjectPublicKeyInfo (of an age key: of its 32 bytes) in hex, by where the private half stands.
  private static let published: [(origin: String, digests: [String])] = [
    (
      "RFC 8032 section 7",
      [
        "06e3fd8fda29bb60ab59557de61edb0aecdb231134be30e75b455f8e1b792fa9",
        "deb2ded39dc26fce0e6085b6fc34bf6b5941913bbfe2ea614113cff9e004c170",
        "8d39ba50abe50f77b6bb8ae7b6927aff7ffbeba35ad2837c0e51e82bcbcc60d5",
        "e4f982b51ad0bdd87be820b259fe80337ef636e72b9fa7a8867a6949eb610fd6",
        "e77db4a9572e9f6552c22bc751d5499ad218a73bdf7e15dc6ea0fc69246a44de",
        "e22e5f835206173b5f72e8675bcb2466d8f4fb5e600736402904f7c3f3302c28",
        "cbfc48474fec9855db0cbcfb3b202d3e9c3d1e5e2329a87ec14fbb0c11df5011",
      ]
    ),
    (
      "RFC 8410 section 10",
      [
        "a1e9156054e04fac899ae9f275132cdc07a5dbc4ea2c2ad3a1ffc6e0d253681f"
      ]
    ),
    (
      "RFC 7748 section 6.1",
      [
        "300c9c9603b92a4b39ed3958bf9240114804db4fd373012c0ca47432d63425ae",
        "f35e5616160a30bf3c6e79fa73c576d40205e8fc3ba4e1c6dcf93e6b98e857b4",
      ]
    ),
    (
      "RFC 6979 section A.2.5",
      [
        "5a7a78cca4a0f420d9bc62bb669c3c2759e39f723d3ae10dcbe0f0815a07ecd4"
      ]
    ),
    (
      "a private key of one repeated byte or of counted bytes",
      [
        "339e2ff917630507b6a423b5ce084e285d1fa65d93b3e27a6195d3bbebc9ae23",
        "fd110d301d2f077de1414b8f99f441b1403fab207b2052fbd2c065e4ee8e7dc2",
        "47dea58ea00fae9417ee19d76755bfef690899021132effb04fe1f9e4f0c8059",
        "8cef065b7af83669150b7d32704d3d3e75c3e9aee0d4f6740544c68e81b377aa",
        "44445e5e749b40420fedb48de34edf44ada67b30a84b736cc650ae084dbf4fac",
        "503d8ee46d581c649966569ae095e27041de83322e8e0480e5539e00d2d5d874",
        "744f36cca67eb1912cb282e08e86bd2fe0d09004a28cf6e7c6bd56cdd6bf65aa",
        "5e3dc044c49e00e0a435a277126d8a4e1fced3d0b1f781686df24139ac528a4b",
        "3532fb2b134488a2a18f2a07cd6db85b4c1b808ddb10972f0ad5526856177bd4",
        "21981d07157626519dc4de7c1c09043877f8e66afd3554169bf9496df8419f50",
        "9a82517f9af19416d98fdbcf193726b3a95c0b6fec1d51884bf3e1b739ba2ef4",
        "66b0070d8bd75623d8ef34e077472b05a4ad70a561788bbd1c0abc20423e65de",
        "af9073360066253d1d3c7f62a142eeff25d4bb70628b6056145fc879084a2655",
        "9dd72bedd2a938f63d1733b58232d659b780e91a64d8e0af36cad2fc7836342e",
        "8519ea04acc631c2adca1ac1a3e01b0f48a74b7fba40722083a611a3408d8b5d",
        "8d5eb75dbb64464ac9369d2416a026c99aad4ebf9cdb7c73adda86dd17815b0f",
        "a050837d85070582ccf7394b0988847cc312cb88259b894899f6f239cf1791a5",
        "646d6be49d9f0048f94f67749eca35156eed4f7a7be18e4fc4a94bfd44e300b0",
        "233ced774423c7a7f91254bd2346d889e2ccab33cb6c98947844f1ef6c4f493f",
        "1a92f23852dc908d97316a3b13578281196c1dd73d9ae5e313f3fb6b8954bf55",
        "cfa570c653bd212b10a9cb551fd7a1b4789855ee17e99ef2b3a2037feb337a08",
        "3d74359e38a88a425a57d8716fe3c08deaff0b683257175efc07e68d352b462f",
        "305fb786cd22ca01603ad583faa0dd0d0f9a98361566373164d1e03a5b2e7b88",
        "d19bf3f082782c87b783fe7134698aeff6e66d9f86afaf7cf9e9b8bf40bab3ff",
        "65cf5c9b1de5d41f758cb67f2d05f3e316a203fcb56351d9e3f158e02962c74d",
        "7e37bdf90daf1c8b3742c9153e76798b5be7fbcb0ced9ca4e3daf332fd7d88ce",
        "19bd195f8fa9ecb95fdaa8ddd5c96f9101c547d53d8a889f0e105e473b0aff36",
        "2397429a87d7d9ba0bbcf46f399ec0176007a4ba3175c4245c5cb955a764049f",
        "82dab32a9aedffb4925a762f879f6fdd05b8ba0aa825a6986a85b751ff3b21e4",
        "1128de8a3d96a514f1179e312936eb9e7f7fe08e87f2274e908bf9d1bab7a71e",
        "21469e52ecee69cad3231884940237f94189e7151ecd6974da7593964cf01b17",
        "bd101a69108fa8773b9015e5a249d25368e70df0476da1eaece8b30d1d20c84c",
        "719506e1305f8c8e727f79a891aa4d418ab69f8f18528ed8fdf877e423070c6b",
        "6095c95684574cd706de01009ead92d5007f83bac98600fc590d2fcf6017a03c",
        "eedd883da0a9451593dc0a38e583fb770fa27dbbed209c20404e075e68c4f0c9",
        "aaa8fff703b50b2297f4f6e13508f72420d96fd01ebb84cb074449caaef64041",
      ]
    ),
    (
      "the private key 1, 2 or 3",
      [
        "5cd252fb0ce8932436faf8ccd1040981b89ee4ad6b9fe9e2a2b7e71aacb27cd3",
        "dc0ce633dbcc913dafafa4b89ac44d8ce683fdfc3f60c8bdf21213b9f2b534ba",
        "2b985badf1bac8293f6b92e8c0acc1139bc5a5ecbbf97a6271dcf0d4f6c68af6",
      ]
    ),
    (
      "tests of python-tuf",
      [
        "f656159207f33b641ad825e76b21243bb75594c8ea081c5d6b4c9133f0d6aeca",
        "bb9b8caf6e192cfb64b6d79ec547a1a0f2397e03a364094361bcc0094ee0be38",
        "d88534d5a038ae0e565f6d9bc6342eddd3deea6143a576d83b2acdfb3c110a6b",
        "4c6ed36e536767a7f418bc3831b68d2d017dd2dacc7a369fab15f949969d486c",
        "b0f92a3742bbc2a6117600931d8f1ba388f0cc6a1525c8e9ea813c4b0a9a96ba",
      ]
    ),
    (
      "tests of securesystemslib",
      [
        "3d923b1544d12fe1dac8540d28a2ba8de4c7af4e91f2f90bd31871ddc6e0afdf",
        "0f930f5ce4a828751465e98a728243a6b0758c5c754e0fb84e3c325ed6b54e06",
        "c3c3d6c1331d6b8afea224a661aa13d5858cf62e65cb7776b810f87ae6dbec8b",
      ]
    ),
    (
      "the insecure key of Vagrant",
      [
        "bde93142b0780b2a66d27977d35f4f542e71cc538d491fe6609e2380b747a027",
        "a7279699e5c6a4ad971f9f205c2409a1cfb05216522b53b3d894dd3ede5e9675",
      ]
    ),
    (
      "tests of go-tuf",
      [
        "d62a4b6b3db2c345f86d5bbd08709045e27e536346c3f8858fc75caa5ffaa63b",
        "a32fb32487ae86758e887212e372b5a1bb52fdd54fab0bf7a2851a2a6ba42744",
        "fc8ffde96a49501090bba8018f05eb1d2e3182dbae306059785d6ac44e17e384",
        "d030bc52768bd1bd7ae0a76630facbd17db2dccaca059f9d650aae54aad8ba4f",
      ]
    ),
    (
      "tests of cosign",
      [
        "35a4fde1514feaba64eed6bf775e155d64d82ee848add673d46cc7befcc6e765",
        "2d96e668bf7adf9b0cc50036f88811d411d90514004c136653637b4e5abe7a88",
        "19d69a18e4e35994410aceda23ae11af3272d19d0ea2c68c384ebd43c2e4f22b",
        "5194c1d903b234d52367df801977a00ed466b7902e2efb4e719aaa4038293496",
        "6d9d4f02f673f80570d5ed2f61236060ce644751880a95f1e2482fa420f1e33e",
        "b7d39e60743f04e87b6bc0edffc2e2a173e77798ba37212a570c0df7c4fe0faa",
        "f6868addc10320eda06ee7d45618d550f8b953cbbb07ad5ff034849117ff1f04",
        "73f1482cf1e7abefed2e765e6dece7d3d0966d2169e8f74ba38daf10a616d8c1",
      ]
    ),
    (
      "tests of age",
      [
        "5c8c00c29256b0733007d9ca5188b0f9c692df4f4dfa97fd009329544e32a0ac",
        "666ee609c1d2c8292b0518e53e4b071691489891a4e653a7f223af7d33c40661",
        "d44bcc51a198d60dc584055448be15e8cbef76a669db9d56cc9178271150fe82",
        "74ccd806003ab98a67038d244f5824d3e8d8d63856ab964b2108bc00b276ac54",
      ]
    ),
    (
      "tests and documentation of age",
      [
        "83c14da03e4affa616d13e02645720cbbf437050cdb8bbcee6743f30ee15ce58",
        "aad42a883ebc031b545cc40c2a29405e84a2cb3d75c68b2b6882807b286d3161",
        "3fe7494f289f3e2fb320e4f6fdc33fb5df5fdb27716969576951d71e87650ddc",
        "ffd86cb8cafacc29a27ab61db6e1bf5f0d4dada0e3a5ea1bbf4b6d7aa3bd24a9",
        "6a7c306bb884c7f9a0a61863ff3a29a3e860192eee1ff30b94b41fc7166e55f8",
        "9b1c868b2e905cb3382d0f78212f72a37779b8b7a273baaf232d4027a3351d8f",
        "59114f403266412cc8eff693d4c39abdc84db13dd1169569bfccc01426da9bee",
        "55901540e02a3149a83e26854a6d933eec64fd2013e5b7a7636cdc95a447ee04",
        "8ed3fa5c090645583f2b98f8860cbb8f8d776ba75c979083d0e4ab9c66976564",
        "e7108b16c617a9dcf4ab4a0d6c892ff8a63da2353b9b93a63cd1e96ece962a33",
        "afa8d824b076d27802b951add115c1f53d01d34207b33e0d0475eeb17bf333d2",
        "c1d683a8b6c80f8459a62c4d085577e05d4d5670fd8914187b4869862742278c",
      ]
    ),
  ]
}

extension TrustError.Code {
  package static let keyPublished = refused("key-published")
}
