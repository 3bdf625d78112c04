import MPaaSObjectStore
import Testing

/// The worked examples of Amazon's reference of S3 ("Examples: Signature Calculations").
@Suite("Signatures of requests to S3") struct S3SignatureTests {
  static let signature = S3Signature(
    identifier: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", region: "us-east-1")
  static let host = "examplebucket.s3.amazonaws.com"
  static let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  /// 2013-05-24T00:00:00Z.
  static let time = 1_369_353_600

  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let subject: S3Signature.Subject
    let signed: String
    let signature: String
  }

  static let examples: [Example] = {
    var get = S3Signature.Subject("GET", host: host, path: "/test.txt", sha256: nothing)
    get.headers = [("Range", "bytes=0-9")]
    var put = S3Signature.Subject(
      "PUT", host: host, path: "/test%24file.text",
      sha256: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072")
    put.headers = [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")]
    var lifecycle = S3Signature.Subject("GET", host: host, path: "/", sha256: nothing)
    lifecycle.query = [("lifecycle", "")]
    var list = S3Signature.Subject("GET", host: host, path: "/", sha256: nothing)
    list.query = [("prefix", "J"), ("max-keys", "2")]
    return [
      Example(
        testDescription: "GET of a range", subject: get, signed: "host;range;x-amz-content-sha256;x-amz-date",
        signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
      Example(
        testDescription: "PUT with a body", subject: put,
        signed: "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
        signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
      Example(
        testDescription: "GET with a word alone", subject: lifecycle, signed: "host;x-amz-content-sha256;x-amz-date",
        signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
      Example(
        testDescription: "GET of a list", subject: list, signed: "host;x-amz-content-sha256;x-amz-date",
        signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ]
  }()

  @Test("are those of Amazon's examples", arguments: examples)
  func example(_ example: Example) {
    let headers = Self.signature.headers(of: example.subject, at: Self.time)
    #expect(
      headers.last?.value
        == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
        + "SignedHeaders=\(example.signed),Signature=\(example.signature)")
  }

  @Test("are made with a secret that nothing prints")
  func secret() {
    let signature = S3Signature(identifier: "name", secret: "hidden", token: "hidden", region: "us-east-1")
    var dumped = ""
    dump(signature, to: &dumped)
    for text in ["\(signature)", "\([signature])", String(reflecting: signature), dumped] {
      #expect(!text.contains("hidden") && text.contains("name"))
    }
  }

  @Test("cover the token of a session")
  func token() {
    let signature = S3Signature(identifier: "a", secret: "b", token: "c", region: "us-east-1")
    let headers = signature.headers(of: Self.examples[3].subject, at: Self.time)
    #expect(headers.contains { $0.name == "x-amz-security-token" && $0.value == "c" })
    #expect(headers.last?.value.contains(";x-amz-security-token,") == true)
  }
}

@Suite("Addresses of places in buckets") struct S3AddressTests {
  @Test("have a bucket, a prefix, an endpoint and a region")
  func whole() throws {
    let address = try #require(
      S3Address("s3://shop/a/b%20c/?endpoint=http%3A%2F%2F127.0.0.1:8333/&region=eu-west-1"))
    #expect(address.bucket == "shop" && address.prefix == "a/b%20c/")
    #expect(address.endpoint == "http://127.0.0.1:8333" && address.region == "eu-west-1")
    #expect(address.shown == "s3://shop/a/b%20c/")
    let place = S3Place(address, endpoint: "http://elsewhere", region: "us-east-1")
    #expect(place.origin == "http://127.0.0.1:8333" && place.host == "127.0.0.1:8333")
    #expect(place.path == "/shop/a/b%2520c/" && place.region == "eu-west-1")
  }

  @Test(
    "lead to Amazon's hosts without an endpoint: one of its own for each bucket that can be one",
    arguments: [
      ("s3://shop", "us-east-1", "https://shop.s3.us-east-1.amazonaws.com", "/"),
      ("s3://shop/a", "cn-north-1", "https://shop.s3.cn-north-1.amazonaws.com.cn", "/a/"),
      ("s3://shop.one/a", "us-east-1", "https://s3.us-east-1.amazonaws.com", "/shop.one/a/"),
    ])
  func amazon(_ text: String, _ region: String, _ origin: String, _ path: String) throws {
    let place = S3Place(try #require(S3Address(text)), endpoint: nil, region: region)
    #expect(place.origin == origin && place.path == path)
    #expect("https://" + place.host == origin)
  }

  @Test("name no port that is the scheme's own, as requests do")
  func port() throws {
    let address = try #require(S3Address("s3://shop?endpoint=https://store:443"))
    #expect(S3Place(address, endpoint: nil, region: "r").host == "store")
  }

  @Test(
    "are refused where they are none, lead elsewhere or have a key",
    arguments: [
      "s3:/shop", "s3://", "s3://ab", "s3:///a", "s3://sh op/a", "s3://shop/../other", "s3://shop/a//b",
      "s3://shop/./a",
      "s3://shop?endpoint=", "s3://shop?endpoint=ftp://host", "s3://shop?endpoint=http://key:secret@host",
      "s3://shop?endpoint=http://host/path", "s3://shop?region=a b", "s3://shop?key=a",
      "s3://shop?region=a&region=b", "s3://shop?endpoint=%zz", "S3://shop", "https://shop/a", "",
    ])
  func refused(_ text: String) { #expect(S3Address(text) == nil) }
}
